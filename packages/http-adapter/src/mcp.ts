/**
 * A door for AI agents, with the Model Context Protocol: they read charts, and propose what a practitioner decides about.
 * You need it if assistants work on charts.
 *
 * @module @clinical-records/http-adapter/mcp
 */

export { createMcpHandler } from './mcp/mcp-handler.ts';
export type { McpOptions } from './mcp/options.ts';
