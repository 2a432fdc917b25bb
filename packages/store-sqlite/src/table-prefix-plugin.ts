import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type SchemableIdentifierNode,
} from 'kysely';
import { tableNames } from './schema.ts';

/** Adds the prefix to the names of the library's tables. Aliases and other tables keep their names. */
class PrefixTransformer extends OperationNodeTransformer {
  readonly #prefix: string;

  constructor(prefix: string) {
    super();
    this.#prefix = prefix;
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const { name } = node.identifier;
    return tableNames.some((ours) => ours === name)
      ? { ...node, identifier: { ...node.identifier, name: this.#prefix + name } }
      : node;
  }
}

export const createTablePrefixPlugin = (prefix: string): KyselyPlugin => {
  const transformer = new PrefixTransformer(prefix);
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
};
