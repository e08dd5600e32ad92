import { CONNECTORS } from '@balcao/contract/connectors'
import { precoOficialRoute } from '@balcao/contract/routes/custos'
import type { BotContext } from '@balcao/engine/context'
import { messagesCents, pathCosts } from '@balcao/engine/menu/path-costs'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useLinhas } from '#shared/conta/linhas.ts'
import { moneyFormat } from '#shared/form/money.ts'
import { useLojaProdutos } from '#features/mensagens/use-loja-produtos.ts'

export interface PathCostsListProps {
  readonly context: Omit<BotContext, 'produtos'>
}

/** Without the catalogue, the shop answers that it has no products. */
const NO_PRODUTOS: BotContext['produtos'] = []

/** Messages of a visit along each option, in reais too on the official API. A separate chunk, because it includes the engine. */
export function PathCostsList({ context }: PathCostsListProps) {
  const lines = useLinhas()
  const own = context.config.whatsapp.conector
  const isPaid = CONNECTORS[own].paidPerMessage || lines.some(({ conector }) => CONNECTORS[conector].paidPerMessage)
  const [open, setOpen] = useState(false)
  return (
    <details className="mt-4" open={open || isPaid} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">
        {isPaid ? 'Quanto custa cada caminho' : 'Quantas mensagens tem cada caminho'}
      </summary>
      {(open || isPaid) && <Costs context={context} isPaid={isPaid} />}
    </details>
  )
}

function Costs({ context, isPaid }: PathCostsListProps & { readonly isPaid: boolean }) {
  const price = usePrice(isPaid)
  const [now] = useState(Date.now)
  const edited = useDeferredValue(context)
  const produtos = useLojaProdutos() ?? NO_PRODUTOS
  const costs = useMemo(() => {
    const connector = isPaid ? CONNECTORS.oficial : CONNECTORS[edited.config.whatsapp.conector]
    return pathCosts({ ...edited, produtos }, connector, now)
  }, [edited, produtos, isPaid, now])
  return (
    <>
      <ul className="divide-y divide-line text-sm">
        {costs.map(({ numero, mensagens }, index) => (
          <li key={`${numero} ${index}`} className="flex flex-wrap justify-between gap-x-4 py-1.5 tabular-nums">
            <span className="min-w-0 wrap-anywhere">
              Opção {numero}
              <span className="text-muted">{titleOf(edited, index)}</span>
            </span>
            <span>
              {mensagens === 1 ? '1 mensagem' : `${mensagens} mensagens`}
              {price !== null && ` · ${price(mensagens)}`}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">
        Conta só as mensagens do bot: saudação, opção e, com atendente, a despedida e a nota.
        {price !== null && ' O valor vale depois das mensagens grátis do mês.'}
      </p>
    </>
  )
}

/** The costs are in the order of the options. */
function titleOf({ config }: PathCostsListProps['context'], index: number): string {
  const titulo = config.menu.opcoes[index]?.titulo.trim() ?? ''
  return titulo === '' ? '' : ` · ${titulo}`
}

/** Null: unknown, or the messages cost nothing. */
function usePrice(enabled: boolean): ((mensagens: number) => string) | null {
  const { data } = useQuery({
    queryKey: ['oficial', 'preco'],
    queryFn: ({ signal }) => call(precoOficialRoute, { signal }),
    enabled,
    retry: false,
  })
  return useMemo(() => {
    if (data?.milionesimos === null || data?.milionesimos === undefined) return null
    const { milionesimos, moeda } = data
    const money = moneyFormat(moeda)
    return (mensagens) => money(messagesCents(mensagens, milionesimos))
  }, [data])
}
