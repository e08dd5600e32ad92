/** Packets between nodes, for speed alone: every listener also reads what it follows from the database. */
export interface Bus {
  /** Reaches the listeners of this node and of all others. Returns at once. A packet may be lost. */
  readonly publish: (channel: string, data: string) => void
  readonly subscribe: (channel: string, listener: (data: string) => void) => () => void
  /** Called after packets of other nodes may have been lost. */
  readonly onGap: (listener: () => void) => () => void
  /** False while packets of other nodes may be missing, so caches that rely on them must not be used. */
  readonly complete: () => boolean
}

/** The running processes of this installation. */
export interface Fleet {
  /** This process: an id, new at each start. */
  readonly self: string
  /** Other nodes that are alive, as far as this one knows. */
  readonly others: () => readonly string[]
  /** Called with each other node that ended or died. */
  readonly onLeft: (listener: (node: string) => void) => () => void
}

export interface LeaderTask {
  readonly name: string
  readonly ms: number
  /** Wait before the first round of this process. Default: `ms`, at most a minute. */
  readonly firstMs?: number
  /** Must be correct when two nodes run it. */
  readonly task: () => Promise<unknown>
  /** Logs the error of a round. The next round runs as usual. */
  readonly failed: (error: unknown) => void
}

/** Periodic work that one node does for all. */
export interface Leader {
  /** Runs the task on one node, as long as that node is alive. The interval counts across nodes and restarts. */
  readonly every: (task: LeaderTask) => { readonly wake: () => void; readonly stop: () => Promise<void> }
}
