import type { Keyboard, Locator } from 'playwright-core'

/** Counts the clicks and keys of a person. Typed text does not count. */
export interface Hand {
  readonly acts: () => number
  readonly click: (target: Locator) => Promise<void>
  readonly press: (target: Locator | Keyboard, key: string) => Promise<void>
}

export function createHand(): Hand {
  let acts = 0
  return {
    acts: () => acts,
    click: async (target) => {
      acts += 1
      await target.click()
    },
    press: async (target, key) => {
      acts += 1
      await target.press(key)
    },
  }
}
