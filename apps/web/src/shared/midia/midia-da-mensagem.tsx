import type { Midia } from '@balcao/contract/entities/mensagem'
import { lazy, Suspense } from 'react'
import { caixaDe } from './caixa.ts'
import { descricao } from './palavras.ts'

export interface MidiaDaMensagemProps {
  readonly midia: Midia
  readonly legenda?: string | undefined
  /** True if the side that views this chat sent it. */
  readonly deMim: boolean
}

const Midia = lazy(async () => ({ default: (await import('./midia.tsx')).Midia }))

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
