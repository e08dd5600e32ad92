import { useQueryClient } from '@tanstack/react-query'
import { useUsuario } from '#shared/session.tsx'
import { MensagemBubble } from './conversa/mensagem-bubble.tsx'
import type { PendingMensagem } from './pendentes.ts'

const progressLabel = () => import('./enviar-midia.ts')
const BUTTON_CLASS = 'min-h-11 rounded underline'

export function PendingBubble({ pendente: { mensagem, progress, error } }: { pendente: PendingMensagem }) {
  const cliente = useQueryClient()
  const { id, nome } = useUsuario()
  return (
    <MensagemBubble mensagem={mensagem} progress={error === undefined ? progress : undefined}>
      {error !== undefined && (
        <div className="mt-1 border-t border-line-strong pt-1 text-sm font-semibold text-danger-ink">
          <p className="whitespace-pre-line">{error}</p>
          <span className="flex gap-4">
            <button
              type="button"
              className={BUTTON_CLASS}
              onClick={() =>
                void progressLabel().then(({ retryUpload }) =>
                  retryUpload({ client: cliente, user: { id, nome } }, mensagem.id),
                )
              }
            >
              Tentar de novo
            </button>
            <button
              type="button"
              className={BUTTON_CLASS}
              onClick={() => void progressLabel().then(({ discardUpload }) => discardUpload(mensagem.id))}
            >
              Descartar
            </button>
          </span>
        </div>
      )}
    </MensagemBubble>
  )
}
