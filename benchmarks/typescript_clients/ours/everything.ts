// All of protocol v1.
export * from "./acp/v1/index.js";
export { StreamPeer } from "./stream_peer.js";
