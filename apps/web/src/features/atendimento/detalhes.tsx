import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ReactNode } from 'react'
import { usePresentes } from '#shared/dados/presenca.ts'
import { formatDateTime, formatPhone } from '#shared/format.ts'
import { ChipDoSetor, ChipDoStatus } from './cores.tsx'
import { Ficha } from './ficha.tsx'
import { duracao, minutosDesde, useAgora } from './tempo.ts'

function Dado({ nome, children }: { nome: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{nome}</dt>
      <dd className="min-w-0 font-semibold break-words">{children}</dd>
    </div>
  )
}

export function Detalhes({ conversa, setor }: { conversa: Conversa; setor: Pick<Setor, 'nome' | 'cor'> }) {
  const agora = useAgora()
  const presentes = usePresentes()
  const { cliente, protocolo, status, iniciadoEm, aguardandoDesde, operador, operadorId, finalizadaEm } = conversa
  return (
    <div className="grid gap-3">
      <dl className="grid gap-3">
        <Dado nome="Telefone">{formatPhone(cliente.telefone) || 'Oculto pelo WhatsApp'}</Dado>
        <Dado nome="Protocolo">
          <span className="tabular-nums">{protocolo}</span>
        </Dado>
        <Dado nome="Setor">
          <ChipDoSetor setor={setor} />
        </Dado>
        <Dado nome="Status">
          <ChipDoStatus status={status} />
        </Dado>
        {status === 'aguardando' && <Dado nome="Espera">{duracao(minutosDesde(aguardandoDesde, agora))}</Dado>}
        {operador !== undefined && (
          <Dado nome="Atendida por">
            {operador}
            {operadorId !== undefined && presentes.has(operadorId) && (
              <span className="ml-1.5 text-sm font-normal text-muted">online</span>
            )}
          </Dado>
        )}
        <Dado nome="Início">{formatDateTime(iniciadoEm)}</Dado>
        {finalizadaEm !== undefined && <Dado nome="Finalizada em">{formatDateTime(finalizadaEm)}</Dado>}
        {conversa.teste && <Dado nome="Tipo">Conversa de teste: não conta no limite diário</Dado>}
      </dl>
      <Ficha conversa={conversa} />
    </div>
  )
}
