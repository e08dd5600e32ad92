import type { MetodoConfirmacao } from '@balcao/contract/entities/segundo-fator'
import { useSyncExternalStore } from 'react'

/** The one open question who the person is. Calls that are refused meanwhile wait for the same answer. */
export interface StepUp {
  readonly ways: readonly MetodoConfirmacao[]
  readonly answer: Promise<boolean>
  readonly finish: (confirmed: boolean) => void
}

let current: StepUp | null = null
const listeners = new Set<() => void>()

function show(next: StepUp | null): void {
  current = next
  for (const listener of listeners) listener()
}

function openQuestion(ways: readonly MetodoConfirmacao[]): StepUp {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const finish = (confirmed: boolean): void => {
    show(null)
    resolve(confirmed)
  }
  return { ways, answer: promise, finish }
}

export function askStepUp(ways: readonly MetodoConfirmacao[]): Promise<boolean> {
  const question = current ?? openQuestion(ways)
  if (current === null) show(question)
  return question.answer
}

/** The next person must not answer the question of the previous one. */
addEventListener('saiu', () => current?.finish(false))

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useStepUp(): StepUp | null {
  return useSyncExternalStore(subscribe, () => current)
}
