import { useEffect, useEffectEvent } from 'react'
import type { Lacuna } from '@balcao/contract/entities/lacuna'

/** Carries a question of customers to the screen that answers it: menu, sources of the AI or quick replies. */

export type GapRemedy = 'opcao' | 'conhecimento' | 'resposta'

export interface GapDraft extends Pick<Lacuna, 'id' | 'rotulo' | 'exemplos'> {
  readonly remedy: GapRemedy
}

let waiting: GapDraft | null = null
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// The next user of this window must not find the texts.
addEventListener('saiu', () => (waiting = null))

/** The next screen that receives this remedy takes the draft, also one that is shown already. */
export function offerGapDraft(draft: GapDraft): void {
  waiting = draft
  tell()
}

/** Calls `onDraft` once for a draft of this remedy that waits, and for each later one. */
export function useGapDraft(remedy: GapRemedy, onDraft: (draft: GapDraft) => void): void {
  const receive = useEffectEvent(onDraft)
  useEffect(() => {
    const take = (): void => {
      if (waiting?.remedy !== remedy) return
      const draft = waiting
      waiting = null
      receive(draft)
    }
    take()
    return subscribe(take)
  }, [remedy])
}

/** A question as a title: without its mark and with a capital. */
export function gapTitle({ rotulo }: Pick<GapDraft, 'rotulo'>, max: number): string {
  const plain = rotulo.replace(/[?!.…\s]+$/, '').slice(0, max)
  return plain.charAt(0).toLocaleUpperCase('pt-BR') + plain.slice(1)
}
