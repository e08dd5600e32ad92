import type { Conversa } from '@balcao/contract/entities/conversa'
import { ByLinha } from '#features/atendimento/notas/composer-mode.tsx'
import type { LinhaLook } from '#shared/conta/linha-look.ts'
import { formatDateTime, formatNumber } from '#shared/format.ts'
import { type ReachedLimite, useLimiteRaised } from './send-result.ts'

function LimiteNotice({ limite: { usado, limite, resetEm } }: { limite: ReachedLimite }) {
  useLimiteRaised()
  return (
    <p role="status" className="mb-2 rounded-lg bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
      Limite diário {formatNumber(usado)}/{formatNumber(limite)} · volta em {formatDateTime(resetEm)}
    </p>
  )
}

export function ComposerNotices({ limite, reason }: { limite: ReachedLimite | null; reason: string | null }) {
  return (
    <>
      {limite !== null && <LimiteNotice limite={limite} />}
      {reason !== null && (
        <p role="status" className="mb-2 rounded-lg bg-sunken px-3 py-2 text-sm text-muted">
          {reason}
        </p>
      )}
    </>
  )
}

interface ComposerHintsProps {
  readonly conversa: Conversa
  readonly linha: LinhaLook | undefined
}

/** After PARAR only the bot stops sending until VOLTAR. An operador can still send. */
export function ComposerHints({ conversa, linha }: ComposerHintsProps) {
  const { pediuParada, agenteMeta } = conversa
  return (
    <>
      {/* On a computer it is beside the choice between mensagem and nota, which a phone hides. */}
      {linha !== undefined && <ByLinha linha={linha} className="mb-1 lg:hidden" />}
      {pediuParada === true && <Hint>O bot não envia nada até VOLTAR. Você, sim.</Hint>}
      {agenteMeta === true && <Hint>O agente da Meta responde. Escreva para assumir.</Hint>}
    </>
  )
}

function Hint({ children }: { children: string }) {
  return (
    <p role="note" className="mb-1 px-1 text-xs text-muted">
      {children}
    </p>
  )
}
