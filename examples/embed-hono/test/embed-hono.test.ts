import { testEmbeddedHost } from '../../testing/embedded-host.ts';

testEmbeddedHost('embed-hono');
