/** Lets a few pieces of costly work run at once and a bounded number wait; the others are turned away at the door. */
export interface Gate {
  /** Throws what `full` makes when the waiting room is full. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

export function createGate(options: {
  readonly atOnce: number
  readonly waiting: number
  readonly full: () => Error
}): Gate {
  const queue: (() => void)[] = []
  let running = 0

  const enter = async (): Promise<void> => {
    if (running < options.atOnce) {
      running += 1
      return
    }
    if (queue.length >= options.waiting) throw options.full()
    // Whoever leaves hands its place over: `running` does not change.
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  const leave = (): void => {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    run: async (work) => {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
