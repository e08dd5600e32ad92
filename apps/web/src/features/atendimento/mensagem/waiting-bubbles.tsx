import { useQueryClient } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import { MensagemBubble } from '#features/atendimento/conversa/mensagem-bubble.tsx'
import { useUsuario } from '#shared/session.tsx'
import { changeWaiting, useWaitingTexts } from './waiting-texts.ts'

const BUTTON_CLASS = 'min-h-11 rounded underline'

/** Texts of this conversa that wait for a connection, or for the person after the conversa changed. */
export function WaitingBubbles({ conversaId }: { conversaId: string }) {
  const client = useQueryClient()
  const user = useUsuario()
  const texts = useWaitingTexts().filter((text) => text.conversaId === conversaId)
  if (texts.length === 0) return null
  return (
    <ol className="grid gap-2">
      {texts.map((text) => {
        const { id, texto, timestamp, conferir } = text
        const mensagem = { id, texto, timestamp, remetente: user.nome, tipo: 'enviada', temporaria: true } as const
        return (
          <MensagemBubble key={id} mensagem={mensagem}>
            {conferir === undefined ? (
              <p className="flex items-center gap-1 text-xs text-muted">
                <Clock3 size={13} aria-hidden /> aguardando conexão
              </p>
            ) : (
              <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
                <p>{conferir} Enviar assim mesmo?</p>
                <span className="flex gap-4">
                  <button
                    type="button"
                    className={BUTTON_CLASS}
                    onClick={() =>
                      void import('./send-waiting.ts').then((sender) => sender.confirmWaiting(client, user, text))
                    }
                  >
                    Enviar
                  </button>
                  <button type="button" className={BUTTON_CLASS} onClick={() => changeWaiting(id, () => null)}>
                    Descartar
                  </button>
                </span>
              </div>
            )}
          </MensagemBubble>
        )
      })}
    </ol>
  )
}
