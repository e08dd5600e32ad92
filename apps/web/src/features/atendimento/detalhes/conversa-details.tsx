import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ReactNode } from 'react'
import { EtiquetaSection } from '#features/atendimento/etiquetas/etiqueta-section.tsx'
import { ConversaStatusChip } from '#features/atendimento/lista/conversa-card.tsx'
import { formatWait, minutesSince, useNow } from '#features/atendimento/lista/waiting-time.ts'
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import { useOnlineOperadores } from '#shared/data/presence.ts'
import { formatDateTime, formatPhone } from '#shared/format.ts'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { endReasonOf } from './end-reason.ts'
import { CustomerFicha } from './ficha.tsx'

function DetailItem({ nome, children }: { nome: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="min-w-0 font-semibold break-words">{children}</dd>
    </div>
  )
}

function ServedBy({ conversa: { operador, operadorId } }: { conversa: Conversa }) {
  const present = useOnlineOperadores()
  if (operador === undefined) return null
  return (
    <DetailItem nome="Atendida por">
      {operador}
      {operadorId !== undefined && present.has(operadorId) && (
        <span className="ml-1.5 text-sm font-normal text-muted">online</span>
      )}
    </DetailItem>
  )
}

export function ConversaDetails({ conversa, setor }: { conversa: Conversa; setor: SetorLook }) {
  const now = useNow()
  const { cliente, protocolo, status, iniciadoEm, aguardandoDesde, finalizadaEm } = conversa
  const endReason = endReasonOf(conversa)
  return (
    <div className="grid gap-3">
      <dl className="grid gap-3">
        <DetailItem nome="Telefone">{formatPhone(cliente.telefone) || 'Oculto pelo WhatsApp'}</DetailItem>
        {cliente.nomeUsuario !== undefined && <DetailItem nome="Nome de usuário">@{cliente.nomeUsuario}</DetailItem>}
        <DetailItem nome="Protocolo">
          <span className="tabular-nums">{protocolo}</span>
        </DetailItem>
        <DetailItem nome="Setor">
          <SetorNameChip setor={setor} />
        </DetailItem>
        <DetailItem nome="Status">
          <ConversaStatusChip conversa={conversa} />
        </DetailItem>
        {status === 'aguardando' && (
          <DetailItem nome="Espera">{formatWait(minutesSince(aguardandoDesde, now))}</DetailItem>
        )}
        <ServedBy conversa={conversa} />
        <DetailItem nome="Início">{formatDateTime(iniciadoEm)}</DetailItem>
        {finalizadaEm !== undefined && <DetailItem nome="Finalizada em">{formatDateTime(finalizadaEm)}</DetailItem>}
        {endReason !== undefined && <DetailItem nome="Motivo do fim">{endReason}</DetailItem>}
        {conversa.teste && <DetailItem nome="Tipo">Conversa de teste: não conta no limite diário</DetailItem>}
      </dl>
      <EtiquetaSection conversa={conversa} />
      <CustomerFicha conversa={conversa} />
    </div>
  )
}
