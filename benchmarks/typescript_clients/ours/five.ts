// A client of five methods: four calls, and the updates that it is told.
import {
  agentCancel,
  agentInitialize,
  agentNewSession,
  agentPrompt,
  clientSessionUpdate,
  Connection,
  Dispatcher,
  type Client,
  type SessionNotification,
} from "./acp/v1/index.js";
import type { StreamPeer } from "./stream_peer.js";

export { StreamPeer } from "./stream_peer.js";

export async function converse(
  peer: StreamPeer,
  show: (update: SessionNotification) => void,
): Promise<string> {
  const announcement = "InitializeResponse";
  const agent = new Connection(peer, { announcement });
  const handler: Client = { sessionUpdate: show };
  peer.incoming = new Dispatcher([clientSessionUpdate], handler, agent);
  await agent.request(agentInitialize, { protocolVersion: 1 });
  const session = await agent.request(agentNewSession, {
    cwd: "/project",
    mcpServers: [],
  });
  const { stopReason } = await agent.request(agentPrompt, {
    sessionId: session.sessionId,
    prompt: [{ type: "text", text: "Hello" }],
  });
  await agent.notify(agentCancel, { sessionId: session.sessionId });
  return stopReason;
}
