import { useQueryClient } from '@tanstack/react-query'
import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import type { Extrato } from '@balcao/contract/entities/pedido'
import { extratoRoute } from '@balcao/contract/routes/pedidos'
import { call } from '#shared/api-client.ts'
import type { ListedPedidos } from '#shared/data/loja/pedidos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { FigureList } from '#shared/ui/figure-list.tsx'
import { FileImportDialog } from '#shared/ui/file-import.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { formatCents } from './pedido-texts.ts'

function sendExtrato(file: File, simulate: boolean): Promise<Extrato> {
  const form = new FormData()
  form.set('arquivo', file)
  const simular = simulate ? 'true' : 'false'
  return call(extratoRoute, { query: { simular }, form, timeoutMs: TIMEOUT_ENVIO_MS })
}

const INTRO =
  'Baixe o extrato no site ou no aplicativo do banco, em OFX ou CSV, com até 5 MB. Só o dinheiro que entrou conta.'

function confirmLabel({ confirmados: { length } }: Extrato): string | null {
  if (length === 0) return null
  return length === 1 ? 'Confirmar 1 pagamento' : `Confirmar ${length} pagamentos`
}

/** The server compares the statement with the orders first, and confirms payments only after the preview. */
export function ExtratoDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  return (
    <FileImportDialog
      title="Conferir extrato"
      intro={INTRO}
      accept=".ofx,.csv,.txt,text/csv,application/x-ofx"
      reading="Lendo o extrato…"
      failure="Nenhum pagamento foi confirmado"
      send={sendExtrato}
      onDone={() => {
        void client.invalidateQueries({ queryKey: QUERY_KEYS.pedidos })
        return true
      }}
      confirmLabel={confirmLabel}
      onClose={onClose}
    >
      {(extrato, done) => <ExtratoResult extrato={extrato} done={done} />}
    </FileImportDialog>
  )
}

function ExtratoResult({ extrato, done }: { readonly extrato: Extrato; readonly done: boolean }) {
  const { confirmados, duvidosos, semPedido, repetidos } = extrato
  const numberOf = usePedidoNumbers()
  return (
    <>
      {done && <Notice tone="sucesso" title={doneTitle(confirmados.length)} />}
      <FigureList
        figures={[
          [done ? 'Confirmados' : 'A confirmar', confirmados.length],
          ['Com dúvida', duvidosos.length],
          ['Sem pedido', semPedido],
          ['Já conferidos', repetidos],
        ]}
      />
      <Payments
        title={done ? 'Pagamentos confirmados' : 'Pagamentos a confirmar'}
        payments={confirmados.map(({ pedidoId, ...payment }) => ({ ...payment, pedidos: numberOf([pedidoId]) }))}
      />
      <Payments
        title="Confira você mesmo"
        payments={duvidosos.map(({ pedidoIds, ...payment }) => ({ ...payment, pedidos: numberOf(pedidoIds) }))}
      />
      {duvidosos.length > 0 && (
        <p className="text-sm text-muted">
          O valor serve para mais de um pedido, ou não é o do pedido. Marque no quadro qual foi pago.
        </p>
      )}
      {!done && confirmados.length === 0 && <p role="status">Nenhum pagamento deste extrato confirma um pedido.</p>}
    </>
  )
}

const doneTitle = (count: number): string =>
  count === 1 ? '1 pagamento confirmado.' : `${count} pagamentos confirmados.`

/** The orders that the board has read: `nº 3 · Bia ou nº 5 · Caio`. Older ones have no number. */
function usePedidoNumbers(): (ids: readonly string[]) => string {
  const client = useQueryClient()
  const lists = client.getQueriesData<ListedPedidos>({ queryKey: QUERY_KEYS.pedidos })
  const numbers = new Map(
    lists.flatMap(([, listed]) =>
      (listed?.pedidos ?? []).map(({ id, numero, cliente }) => [id, `nº ${numero} · ${cliente}`] as const),
    ),
  )
  return (ids) => ids.flatMap((id) => numbers.get(id) ?? []).join(' ou ') || 'Pedido de outro dia'
}

interface Payment {
  readonly valorCentavos: number
  readonly data: string
  readonly pedidos: string
}

const SHOWN = 100

function Payments({ title, payments }: { readonly title: string; readonly payments: readonly Payment[] }) {
  if (payments.length === 0) return null
  return (
    <section aria-label={title} tabIndex={0} className="max-h-56 overflow-y-auto rounded-card border p-3">
      <h3 className="text-sm font-bold">{title}</h3>
      <ul className="divide-y text-sm">
        {payments.slice(0, SHOWN).map(({ valorCentavos, data, pedidos }, index) => (
          <li key={`${data} ${index}`} className="flex flex-wrap justify-between gap-x-3 py-1.5">
            <span className="min-w-0 wrap-anywhere">{pedidos}</span>
            <span className="tabular-nums">
              {formatCents(valorCentavos)} em {data.split('-').toReversed().join('/')}
            </span>
          </li>
        ))}
      </ul>
      {payments.length > SHOWN && <p className="text-sm text-muted">E mais {payments.length - SHOWN}.</p>}
    </section>
  )
}
