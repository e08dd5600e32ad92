import type { Conversa } from '@balcao/contract/entities/conversa'
import { lazy, Suspense, useState } from 'react'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { useNow } from './lista/waiting-time.ts'

const ModeloDialog = lazy(async () => ({ default: (await import('./envio/modelo-dialog.tsx')).ModeloDialog }))

export interface OficialJanelaProps {
  readonly conversa: Conversa
  /** From the server: the 24 h count from when the customer wrote the message, not from its arrival. */
  readonly janelaAte: string
}

/** Meta allows a reply for 24 hours after the customer's last message, then only approved templates. */
export function OficialJanela({ conversa, janelaAte }: OficialJanelaProps) {
  const [escolhendo, setEscolhendo] = useState(false)
  const restaMs = Date.parse(janelaAte) - useNow()
  return (
    <section aria-labelledby="janela-oficial">
      <h3 id="janela-oficial" className="text-sm text-muted">
        Janela de 24 horas
      </h3>
      {restaMs > 0 ? (
        <p className="text-sm font-semibold">Aberta até {formatDateTime(janelaAte)}</p>
      ) : (
        <p className="text-sm font-semibold text-warn-ink">
          Fechada: só um modelo de mensagem aprovado chega ao cliente
        </p>
      )}
      {conversa.status !== 'finalizada' && (
        <Button size="sm" className="mt-1.5" onClick={() => setEscolhendo(true)}>
          Enviar modelo
        </Button>
      )}
      <Suspense>
        {escolhendo && <ModeloDialog conversaId={conversa.id} onFechar={() => setEscolhendo(false)} />}
      </Suspense>
    </section>
  )
}
