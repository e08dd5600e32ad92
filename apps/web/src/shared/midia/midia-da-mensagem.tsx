import type { Midia } from '@balcao/contract/entities/mensagem'
import { lazy, Suspense } from 'react'
import { caixaDe } from './caixa.ts'
import { descricao } from './palavras.ts'

export interface MidiaDaMensagemProps {
  readonly midia: Midia
  /** The text that goes with it, if any: the bubble shows it below, a picture's dialog shows it again. */
  readonly legenda?: string | undefined
  /** Sent by whoever looks at this chat. */
  readonly deMim: boolean
}

const Midia = lazy(async () => ({ default: (await import('./midia.tsx')).Midia }))

/** What a message carries besides its words. The room it takes is there at once; what fills it is loaded when first needed. */
export function MidiaDaMensagem(props: MidiaDaMensagemProps) {
  const { midia, deMim } = props
  return (
    <Suspense
      fallback={
        <div className={`skeleton ${caixaDe(midia)}`}>
          <span className="sr-only">{descricao(midia, deMim)}</span>
        </div>
      }
    >
      <Midia {...props} />
    </Suspense>
  )
}
