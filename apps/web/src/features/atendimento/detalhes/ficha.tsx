import type { Conversa, FichaDoCliente } from '@balcao/contract/entities/conversa'
import { Star } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { MensagemList } from '#features/atendimento/conversa/mensagem-list.tsx'
import { CONVERSA_STATUS_LABEL } from '#features/atendimento/lista/filters.ts'
import { useNow } from '#features/atendimento/lista/waiting-time.ts'
import { useSingleConversa } from '#shared/data/conversas/known-conversas.ts'
import { useLinhaOf } from '#shared/conta/linha-look.ts'
import { LinhaMark } from '#shared/conta/linha-mark.tsx'
import { formatDate, formatDateTime, formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { PartMissing } from './detail-item.tsx'
import { useFicha } from './use-ficha.ts'

const ModeloDialog = lazy(async () => ({
  default: (await import('#features/atendimento/envio/modelo-dialog.tsx')).ModeloDialog,
}))

const SHOWN = 3

type EarlierSummary = FichaDoCliente['anteriores'][number]

export function CustomerFicha({ conversa }: { conversa: Conversa }) {
  const { data, error, isPending, refetch } = useFicha(conversa)
  if (isPending) {
    return (
      <div role="status" aria-label="Carregando o histórico" aria-busy="true" className="grid gap-2">
        <Skeleton className="h-4 w-1/2" />
        <Skeleton className="h-10 w-full" />
      </div>
    )
  }
  if (data === undefined) {
    return <PartMissing onRetry={refetch}>{error.message}</PartMissing>
  }
  return (
    <>
      {data.janelaAte !== undefined && <OficialJanela conversa={conversa} janelaAte={data.janelaAte} />}
      <Ratings {...data.avaliacoes} />
      <EarlierConversas ficha={data} />
    </>
  )
}

function Rating({ nota }: { nota: number }) {
  return (
    <span className="inline-flex items-center gap-0.5 font-semibold tabular-nums">
      <Star size={13} aria-hidden className="fill-ipe text-ipe" />
      <span className="sr-only">nota </span>
      {formatNumber(nota)}
    </span>
  )
}

function Ratings({ notaMedia, total }: FichaDoCliente['avaliacoes']) {
  return (
    <section aria-labelledby="avaliacoes-do-cliente">
      <h3 id="avaliacoes-do-cliente" className="text-sm text-muted">
        Avaliações
      </h3>
      <p className="text-sm font-semibold">
        {notaMedia === null ? (
          'Nenhuma ainda'
        ) : (
          <>
            <Rating nota={notaMedia} /> de média em {formatNumber(total)}
          </>
        )}
      </p>
    </section>
  )
}

function EarlierConversas({ ficha: { anteriores, totalAnteriores } }: { ficha: FichaDoCliente }) {
  const [reading, setReading] = useState<EarlierSummary | null>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <section aria-labelledby="conversas-anteriores">
        <h3 id="conversas-anteriores" className="text-sm text-muted">
          Conversas anteriores{totalAnteriores > 0 && ` (${formatNumber(totalAnteriores)})`}
        </h3>
        {anteriores.length === 0 ? (
          <p className="text-sm font-semibold">Primeira conversa com uma pessoa</p>
        ) : (
          <ul className="-mx-2">
            {(open ? anteriores : anteriores.slice(0, SHOWN)).map((earlier) => (
              <EarlierRow key={earlier.id} earlier={earlier} onRead={() => setReading(earlier)} />
            ))}
          </ul>
        )}
        {anteriores.length > SHOWN && !open && (
          <Button size="sm" onClick={() => setOpen(true)}>
            Mostrar mais
          </Button>
        )}
      </section>
      {reading !== null && (
        <EarlierConversa id={reading.id} protocolo={reading.protocolo} onClose={() => setReading(null)} />
      )}
    </>
  )
}

function EarlierRow({ earlier, onRead }: { earlier: EarlierSummary; onRead: () => void }) {
  const { iniciadoEm, protocolo, status, operador, nota } = earlier
  const linha = useLinhaOf()(earlier.linha)
  return (
    <li>
      <button
        type="button"
        className="block min-h-11 w-full rounded-lg px-2 py-1.5 text-left text-sm hover:bg-sunken"
        onClick={onRead}
      >
        <span className="flex items-center justify-between gap-2">
          <span className="font-semibold">{formatDate(iniciadoEm)}</span>
          {nota !== undefined && <Rating nota={nota} />}
        </span>
        <span className="block truncate text-xs text-muted">
          {protocolo} · {operador ?? CONVERSA_STATUS_LABEL[status]}
        </span>
        {linha !== undefined && <LinhaMark linha={linha} className="max-w-full text-xs text-muted" />}
      </button>
    </li>
  )
}

interface EarlierConversaProps {
  readonly id: string
  readonly protocolo: string
  readonly onClose: () => void
}

function EarlierConversa({ id, protocolo, onClose }: EarlierConversaProps) {
  const { conversa, error, refetch } = useSingleConversa(id, true)
  const linha = useLinhaOf()(conversa?.linha)
  return (
    <Dialog open title={`Conversa ${protocolo}`} width="lg" onClose={onClose}>
      <div className="-mx-5 -mb-5 flex h-[70dvh] flex-col">
        {conversa !== undefined ? (
          <>
            <p className="px-5 pb-3 text-sm text-muted">
              {conversa.cliente.nome} · {formatDateTime(conversa.iniciadoEm)}
              {conversa.operador !== undefined && ` · com ${conversa.operador}`}
              {linha !== undefined && (
                <>
                  {' · '}
                  <LinhaMark linha={linha} className="max-w-52 align-top" />
                </>
              )}
            </p>
            <MensagemList conversa={conversa} />
          </>
        ) : error === null ? (
          <Skeleton className="m-5 h-24" />
        ) : (
          <ErrorState message={error.message} onRetry={() => void refetch()} />
        )}
      </div>
    </Dialog>
  )
}

interface OficialJanelaProps {
  readonly conversa: Conversa
  /** From the server: the 24 h count from when the customer wrote the message, not from its arrival. */
  readonly janelaAte: string
}

/** Meta allows a reply for 24 hours after the customer's last message, then only approved templates. */
function OficialJanela({ conversa, janelaAte }: OficialJanelaProps) {
  const [choosing, setChoosing] = useState(false)
  const remainingMs = Date.parse(janelaAte) - useNow()
  return (
    <section aria-labelledby="janela-oficial">
      <h3 id="janela-oficial" className="text-sm text-muted">
        Janela de 24 horas
      </h3>
      {remainingMs > 0 ? (
        <p className="text-sm font-semibold">Aberta até {formatDateTime(janelaAte)}</p>
      ) : (
        <p className="text-sm font-semibold text-warn-ink">
          Fechada: só um modelo de mensagem aprovado chega ao cliente
        </p>
      )}
      {conversa.status !== 'finalizada' && (
        <Button size="sm" className="mt-1.5" onClick={() => setChoosing(true)}>
          Enviar modelo
        </Button>
      )}
      <Suspense>{choosing && <ModeloDialog conversaId={conversa.id} onClose={() => setChoosing(false)} />}</Suspense>
    </section>
  )
}
