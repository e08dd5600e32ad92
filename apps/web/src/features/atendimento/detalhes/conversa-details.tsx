import { type ReactNode, lazy, useState } from 'react'
import { Plus, X } from 'lucide-react'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { ConversaStatusChip } from '#features/atendimento/lista/conversa-card.tsx'
import { formatWait, minutesSince, useNow } from '#features/atendimento/lista/waiting-time.ts'
import type { SetorLook } from '#features/atendimento/setores/use-setores.ts'
import { useOnlineOperadores } from '#shared/data/presence.ts'
import { formatDateTime, formatPhone } from '#shared/format.ts'
import { SetorNameChip } from '#shared/ui/setor-chip.tsx'
import { useEtiquetasOf } from '#shared/data/contatos/etiquetas.ts'
import { Button } from '#shared/ui/button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { EtiquetaChip } from '#features/atendimento/etiquetas/etiqueta-chip.tsx'
import { useConversaEtiquetas } from '#features/atendimento/etiquetas/use-conversa-etiquetas.ts'
import { endReasonOf } from './end-reason.ts'
import { CustomerFicha } from './ficha.tsx'

const EtiquetaDialog = lazy(async () => ({
  default: (await import('#features/atendimento/etiquetas/etiqueta-dialog.tsx')).EtiquetaDialog,
}))

function EtiquetaSection({ conversa }: { conversa: Conversa }) {
  const chosen = useConversaEtiquetas(conversa)
  const etiquetas = useEtiquetasOf(chosen.ids)
  const [choosing, setChoosing] = useState(false)
  if (conversa.contatoId === undefined) return null
  return (
    <section aria-labelledby="etiquetas-do-cliente">
      <h3 id="etiquetas-do-cliente" className="text-sm text-muted">
        Etiquetas
      </h3>
      <div className="mt-1 flex flex-wrap items-center gap-1 pointer-coarse:gap-x-2 pointer-coarse:gap-y-3 pointer-coarse:[&_.chip]:min-h-8">
        {etiquetas.map((etiqueta) => (
          <EtiquetaChip key={etiqueta.id} etiqueta={etiqueta}>
            <button
              type="button"
              aria-label={`Tirar a etiqueta ${etiqueta.nome}`}
              className="relative -mr-1.5 grid size-6 flex-none place-items-center rounded-md hover:bg-surface pointer-coarse:before:absolute pointer-coarse:before:-inset-2.5"
              onClick={() => chosen.toggle(etiqueta.id)}
            >
              <X size={13} aria-hidden />
            </button>
          </EtiquetaChip>
        ))}
        <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
          <Plus size={14} aria-hidden /> Etiqueta
        </Button>
      </div>
      {choosing && (
        <LazyPart name="as etiquetas">
          <EtiquetaDialog cliente={conversa.cliente.nome} chosen={chosen} onClose={() => setChoosing(false)} />
        </LazyPart>
      )}
    </section>
  )
}

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
