import type { Conversa } from '@balcao/contract/entities/conversa'
import { lazy } from 'react'
import { formatSendTime } from '#features/atendimento/agendadas/schedule-time.ts'
import { useNow } from '#features/atendimento/lista/waiting-time.ts'
import { useAgendadas } from '#shared/data/contatos/agendadas.ts'
import { useLinhaOf } from '#shared/conta/linha-look.ts'
import { LinhaMark } from '#shared/conta/linha-mark.tsx'
import { formatDateTime } from '#shared/format.ts'
import { useTakesPedidos } from '#shared/pedidos/new-pedido.ts'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { CustomerBrief } from './brief.tsx'
import { ChatFiles } from './chat-files.tsx'
import { CustomerSection } from './customer-section.tsx'
import { DetailItem } from './detail-item.tsx'
import { endReasonOf } from './end-reason.ts'
import { EtiquetaSection } from './etiqueta-section.tsx'
import { CustomerFicha } from './ficha.tsx'

// Shops without orders never load it.
const CustomerPedidos = lazy(async () => ({
  default: (await import('#features/atendimento/pedido/customer-pedidos.tsx')).CustomerPedidos,
}))

function NextAgendada({ conversaId }: { readonly conversaId: string }) {
  const { data = [] } = useAgendadas(conversaId)
  const now = useNow()
  const [next] = data
    .filter(({ estado }) => estado === 'marcada')
    .toSorted((a, b) => Date.parse(a.enviarEm) - Date.parse(b.enviarEm))
  if (next === undefined) return null
  return (
    <section aria-labelledby="proxima-agendada">
      <h3 id="proxima-agendada" className="text-sm text-muted">
        Próxima mensagem agendada
      </h3>
      <p className="text-sm font-semibold">{formatSendTime(next.enviarEm, now)}</p>
      <p className="line-clamp-3 text-sm wrap-anywhere">{next.mensagem}</p>
    </section>
  )
}

/** The customer beside the chat. The header of the chat shows status, setor and person. */
export function ConversaDetails({ conversa }: { readonly conversa: Conversa }) {
  const { id, contatoId, iniciadoEm, finalizadaEm, teste } = conversa
  const takesPedidos = useTakesPedidos()
  const endReason = endReasonOf(conversa)
  const linha = useLinhaOf()(conversa.linha)
  return (
    <div className="grid gap-3">
      <CustomerBrief conversa={conversa} />
      <CustomerSection conversa={conversa} />
      <EtiquetaSection conversa={conversa} />
      <NextAgendada conversaId={id} />
      {takesPedidos && contatoId !== undefined && (
        <LazyPart name="os pedidos">
          <CustomerPedidos {...{ conversa, contatoId }} />
        </LazyPart>
      )}
      <CustomerFicha conversa={conversa} />
      <ChatFiles conversaId={id} />
      <dl className="grid gap-3">
        {linha !== undefined && (
          <DetailItem nome="Linha">
            <LinhaMark linha={linha} named className="max-w-full" />
          </DetailItem>
        )}
        <DetailItem nome="Início">{formatDateTime(iniciadoEm)}</DetailItem>
        {finalizadaEm !== undefined && <DetailItem nome="Finalizada em">{formatDateTime(finalizadaEm)}</DetailItem>}
        {endReason !== undefined && <DetailItem nome="Motivo do fim">{endReason}</DetailItem>}
        {teste && <DetailItem nome="Tipo">Conversa de teste: não conta no limite diário</DetailItem>}
      </dl>
    </div>
  )
}
