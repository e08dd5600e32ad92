/** Packets between nodes, for speed alone: every listener also reads what it follows from the database. */
export interface Bus {
  /**
   * Reaches the listeners of this node and of all others, with the id of the request that caused it. Returns at once. A
   * packet may be lost.
   */
  readonly publish: (channel: string, data: string) => void
  readonly subscribe: (channel: string, listener: (data: string) => void) => () => void
  /** Called after packets of other nodes may have been lost. */
  readonly onGap: (listener: () => void) => () => void
  /** False while packets of other nodes may be missing, so caches that rely on them must not be used. */
  readonly complete: () => boolean
}

export interface BusMetrics {
  readonly countFrame: (way: 'enviado' | 'recebido') => void
  /** A frame of another node arrived `seconds` after it was published. */
  readonly observeFrame: (seconds: number) => void
  /** Frames of another node may have been lost. */
  readonly countGap: () => void
}

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
  readonly failed: (error: unknown) => void
}

/** Periodic work that one node does for all. */
export interface Leader {
  /** Runs the task on one node, as long as that node is alive. The interval counts across nodes and restarts. */
  readonly every: (task: LeaderTask) => { readonly wake: () => void; readonly stop: () => Promise<void> }
}

/** The row of this process among the nodes, which is the lease of all its bots. */
export interface NodeLease extends Fleet {
  /** The other nodes that take bots, and how many each has. */
  readonly peers: () => readonly { readonly id: string; readonly sessoes: number }[]
  /** When this node last found another one dead, in milliseconds of the monotonic clock. -Infinity: never. */
  readonly lastLossAt: () => number
  /** The row of this node was renewed recently, and it takes bots. */
  readonly alive: () => boolean
  /** False from 7 s after the last renewal: nothing may be sent. */
  readonly maySend: () => boolean
  /** When the last packets of another node arrived. Null: none yet. */
  readonly heardFrom: (node: string) => Date | null
  /** Seconds since the last renewal of the row began. Infinity: no other process can use the database. */
  readonly leaseAgeS: () => number
  /** False from 9 s after the last renewal: links must be closed. Another node may take the bots after 10 s. */
  readonly mayHold: () => boolean
  /** Shows the other nodes that this one takes no more bots. */
  readonly startLeaving: () => Promise<void>
}
