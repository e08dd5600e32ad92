/** Limits parallel work. A bounded number of callers wait; further callers are rejected. */
export interface Gate {
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
    // The finished caller passes its slot on, so `running` does not change.
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
