// The same client, with the version as a namespace of the root module.
import { v1 } from "./acp/index.js";
import type { StreamPeer } from "./stream_peer.js";

export { StreamPeer } from "./stream_peer.js";

export async function converse(
  peer: StreamPeer,
  show: (update: v1.SessionNotification) => void,
): Promise<string> {
  const announcement = "InitializeResponse";
  const agent = new v1.Connection(peer, { announcement });
  const handler: v1.Client = { sessionUpdate: show };
  peer.incoming = new v1.Dispatcher([v1.clientSessionUpdate], handler, agent);
  await agent.request(v1.agentInitialize, { protocolVersion: 1 });
  const session = await agent.request(v1.agentNewSession, {
    cwd: "/project",
    mcpServers: [],
  });
  const { stopReason } = await agent.request(v1.agentPrompt, {
    sessionId: session.sessionId,
    prompt: [{ type: "text", text: "Hello" }],
  });
  await agent.notify(v1.agentCancel, { sessionId: session.sessionId });
  return stopReason;
}
