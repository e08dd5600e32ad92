import { hasNumber } from '@balcao/contract/connectors'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { CONVERSA_STATUS_LABEL } from '#features/atendimento/lista/filters.ts'
import { formatWait, minutesSince, useNow } from '#features/atendimento/lista/waiting-time.ts'
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import type { LinhaLook } from '#shared/conta/linha-look.ts'
import { LinhaMark } from '#shared/conta/linha-mark.tsx'
import { useOnlineOperadores } from '#shared/data/presence.ts'
import { customerContact } from '#shared/format.ts'
import { useUsuario } from '#shared/session.tsx'
import { endReasonOf } from './end-reason.ts'

interface ChatStatusProps {
  readonly conversa: Conversa
  readonly setor: SetorLook
  /** Undefined while the account has one line. */
  readonly linha: LinhaLook | undefined
}

/** Where the customer is reached. A visitor of the site has no phone, and the name is only claimed. */
function whereOf({ cliente, linha }: Conversa): string {
  const contact = customerContact(cliente)
  if (linha === undefined || hasNumber(linha.conector)) return contact
  const site = cliente.nomeInformado === true ? 'no site, nome informado pelo visitante' : 'no site'
  return contact === '' ? site : `${site} · ${contact}`
}

export function ChatStatus({ conversa, setor, linha }: ChatStatusProps) {
  const now = useNow()
  const { id } = useUsuario()
  const { status, operador, operadorId, aguardandoDesde, agenteMeta } = conversa
  const present = useOnlineOperadores()
  const online = operadorId !== undefined && operadorId !== id && present.has(operadorId) ? ' (online)' : ''
  // A finished conversa names its last operador only. The owner may have finished it, so the header names no person.
  const served = operador !== undefined && status !== 'finalizada'
  const servedBy = served ? ` com ${operadorId === id ? 'você' : `${operador}${online}`}` : ''
  const situation =
    status === 'aguardando'
      ? `Aguardando há ${formatWait(minutesSince(aguardandoDesde, now)).replace('agora', 'menos de 1 min')}`
      : agenteMeta === true
        ? 'Atendida pelo agente da Meta'
        : `${CONVERSA_STATUS_LABEL[status]}${servedBy}`
  return (
    <p className="truncate text-xs text-muted">
      {situation}
      {linha !== undefined && (
        <>
          {' · '}
          <LinhaMark linha={linha} className="max-w-28 align-top" />
        </>
      )}
      {[endReasonOf(conversa), setor.nome, whereOf(conversa)]
        .flatMap((part) => (part === undefined || part === '' ? [] : [` · ${part}`]))
        .join('')}
    </p>
  )
}
