using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "clinic", worker = .clinic)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "clinic")]
);

const clinic :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["nodejs_compat"]
);
