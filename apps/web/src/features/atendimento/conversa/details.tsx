import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ReactNode } from 'react'
import { useOnlineOperadores } from '#shared/data/presence.ts'
import { formatDateTime, formatPhone } from '#shared/format.ts'
import { SetorNameChip, ConversaStatusChip } from '#features/atendimento/setores/setor-chip.tsx'
import { CustomerFicha } from '#features/atendimento/ficha.tsx'
import { formatWait, minutesSince, useNow } from '#features/atendimento/lista/waiting-time.ts'

function DetailItem({ nome, children }: { nome: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="min-w-0 font-semibold break-words">{children}</dd>
    </div>
  )
}

export function ConversaDetails({ conversa, setor }: { conversa: Conversa; setor: Pick<Setor, 'nome' | 'cor'> }) {
  const now = useNow()
  const present = useOnlineOperadores()
  const { cliente, protocolo, status, iniciadoEm, aguardandoDesde, operador, operadorId, finalizadaEm } = conversa
  return (
    <div className="grid gap-3">
      <dl className="grid gap-3">
        <DetailItem nome="Telefone">{formatPhone(cliente.telefone) || 'Oculto pelo WhatsApp'}</DetailItem>
        <DetailItem nome="Protocolo">
          <span className="tabular-nums">{protocolo}</span>
        </DetailItem>
        <DetailItem nome="Setor">
          <SetorNameChip setor={setor} />
        </DetailItem>
        <DetailItem nome="Status">
          <ConversaStatusChip status={status} />
        </DetailItem>
        {status === 'aguardando' && (
          <DetailItem nome="Espera">{formatWait(minutesSince(aguardandoDesde, now))}</DetailItem>
        )}
        {operador !== undefined && (
          <DetailItem nome="Atendida por">
            {operador}
            {operadorId !== undefined && present.has(operadorId) && (
              <span className="ml-1.5 text-sm font-normal text-muted">online</span>
            )}
          </DetailItem>
        )}
        <DetailItem nome="Início">{formatDateTime(iniciadoEm)}</DetailItem>
        {finalizadaEm !== undefined && <DetailItem nome="Finalizada em">{formatDateTime(finalizadaEm)}</DetailItem>}
        {conversa.teste && <DetailItem nome="Tipo">Conversa de teste: não conta no limite diário</DetailItem>}
      </dl>
      <CustomerFicha conversa={conversa} />
    </div>
  )
}
