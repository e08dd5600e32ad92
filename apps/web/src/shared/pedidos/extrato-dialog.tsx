import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import type { Extrato } from '@balcao/contract/entities/pedido'
import { extratoRoute } from '@balcao/contract/routes/pedidos'
import { call } from '#shared/api-client.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import type { ListedPedidos } from '#shared/data/loja/pedidos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { FigureList } from '#shared/ui/figure-list.tsx'
import { FileChoice } from '#shared/ui/file-choice.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import { formatCents } from './pedido-texts.ts'

function sendExtrato(file: File, simulate: boolean): Promise<Extrato> {
  const form = new FormData()
  form.set('arquivo', file)
  const simular = simulate ? 'true' : 'false'
  return call(extratoRoute, { query: { simular }, form, timeoutMs: TIMEOUT_ENVIO_MS })
}

type Step =
  | { readonly tipo: 'escolher'; readonly erro: string | null }
  | { readonly tipo: 'lendo' }
  | {
      readonly tipo: 'previa' | 'gravando' | 'pronto'
      readonly file: File
      readonly extrato: Extrato
      readonly erro: string | null
    }

const INTRO =
  'Baixe o extrato no site ou no aplicativo do banco, em OFX ou CSV, com até 5 MB. Só o dinheiro que entrou conta.'
const noop = (): void => undefined

/** The server compares the statement with the orders first, and confirms payments only after the preview. */
export function ExtratoDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ tipo: 'escolher', erro: null })
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setStep({ tipo: 'lendo' })
    try {
      setStep({ tipo: 'previa', file, extrato: await sendExtrato(file, true), erro: null })
    } catch (error) {
      setStep({ tipo: 'escolher', erro: errorMessage(error) })
    }
  }
  const confirm = async (file: File, extrato: Extrato): Promise<void> => {
    setStep({ tipo: 'gravando', file, extrato, erro: null })
    try {
      setStep({ tipo: 'pronto', file, extrato: await sendExtrato(file, false), erro: null })
      void client.invalidateQueries({ queryKey: QUERY_KEYS.pedidos })
    } catch (error) {
      setStep({ tipo: 'previa', file, extrato, erro: `Nenhum pagamento foi confirmado: ${errorMessage(error)}` })
    }
  }
  const saving = step.tipo === 'gravando'
  return (
    // The dialog stays open while it saves: it shows the result.
    <Dialog open width="lg" title="Conferir extrato" onClose={saving ? noop : onClose} hold={saving}>
      {step.tipo === 'escolher' && (
        <FileChoice
          erro={step.erro}
          intro={INTRO}
          accept=".ofx,.csv,.txt,text/csv,application/x-ofx"
          onChoose={(file) => void choose(file)}
        />
      )}
      {step.tipo === 'lendo' && (
        <p role="status" className="flex items-center gap-2 py-6">
          <Spinner /> Lendo o extrato…
        </p>
      )}
      {'extrato' in step && (
        <ExtratoResult
          {...step}
          onBack={() => setStep({ tipo: 'escolher', erro: null })}
          onConfirm={() => void confirm(step.file, step.extrato)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type ResultProps = Extract<Step, { readonly extrato: Extrato }> & {
  readonly onBack: () => void
  readonly onConfirm: () => void
  readonly onClose: () => void
}

function ExtratoResult({ tipo, file, extrato, erro, onBack, onConfirm, onClose }: ResultProps) {
  const { confirmados, duvidosos, semPedido, repetidos } = extrato
  const numberOf = usePedidoNumbers()
  const done = tipo === 'pronto'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="break-words text-muted">{file.name}</p>
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
      {erro !== null && <Notice tone="erro" title={erro} />}
      {!done && confirmados.length === 0 && <p role="status">Nenhum pagamento deste extrato confirma um pedido.</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="touch" disabled={tipo === 'gravando'} onClick={onBack}>
          Escolher outro arquivo
        </Button>
        {done || confirmados.length === 0 ? (
          <Button variant="primary" size="touch" onClick={onClose}>
            Fechar
          </Button>
        ) : (
          <Button variant="primary" size="touch" busy={tipo === 'gravando'} onClick={onConfirm}>
            {confirmados.length === 1 ? 'Confirmar 1 pagamento' : `Confirmar ${confirmados.length} pagamentos`}
          </Button>
        )}
      </div>
    </div>
  )
}

const doneTitle = (count: number): string =>
  count === 1 ? '1 pagamento confirmado.' : `${count} pagamentos confirmados.`

/** The numbers of the orders that the board has read: `nº 3 ou nº 5`. Older ones have none. */
function usePedidoNumbers(): (ids: readonly string[]) => string {
  const client = useQueryClient()
  const lists = client.getQueriesData<ListedPedidos>({ queryKey: QUERY_KEYS.pedidos })
  const numbers = new Map(
    lists.flatMap(([, listed]) => (listed?.pedidos ?? []).map(({ id, numero }) => [id, numero] as const)),
  )
  return (ids) =>
    ids.flatMap((id) => (numbers.has(id) ? [`nº ${numbers.get(id)}`] : [])).join(' ou ') || 'Pedido de outro dia'
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
            <span>{pedidos}</span>
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
