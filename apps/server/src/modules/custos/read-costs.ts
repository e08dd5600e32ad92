import type { CustosOficiais, OrigemDeCusto, PrecoOficial } from '@balcao/contract/entities/custos'
import { centsOf, type CostKind, forecastCents, monthSpan } from '@balcao/engine/oficial/costs'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { localDay } from '#lib/time.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { type CostRow, findServicePrice, listCosts } from './repository.ts'

interface CostRequest {
  readonly contaId: string
  /** `AAAA-MM` */
  readonly mes: string
  /** Null: all lines. */
  readonly linha: string | null
}

const DEFAULT_CURRENCY = 'BRL'

/** The sums of a month, rounded at the end of each sum. */
export async function readCosts(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  { contaId, mes, linha }: CostRequest,
): Promise<CustosOficiais> {
  const { from, until } = monthSpan(mes)
  const rows = await listCosts(tx, { contaId, from, until, linha })
  const today = localDay(clock.now(), await readTimeZone(tx, { contaId }))
  const moeda = currencyOf(rows)
  const millionths = valueOf(rows, moeda)
  const ofKind = (kind: CostKind): number => countOf(rows.filter(({ tipo }) => tipo === kind))
  const sums = (some: readonly CostRow[]) => ({
    mensagens: countOf(some),
    valorCentavos: centsOf(valueOf(some, moeda)),
  })
  return {
    mensagens: { cobradas: ofKind('cobrada'), gratuitas: ofKind('gratuita'), anuncio: ofKind('anuncio') },
    ...{ valorCentavos: centsOf(millionths), moeda, estimativa: true },
    previsaoCentavos: forecastCents({ month: mes, today, millionths }),
    porDia: [...Map.groupBy(rows, ({ dia }) => dia)].map(([dia, some]) => ({ dia, ...sums(some) })),
    porOrigem: [...Map.groupBy(rows, ({ origem }): OrigemDeCusto => origem)]
      .map(([origem, some]) => ({ origem, ...sums(some) }))
      .toSorted((a, b) => b.mensagens - a.mensagens),
  }
}

export async function readServicePrice(tx: Tx, { clock }: Pick<Deps, 'clock'>, contaId: string): Promise<PrecoOficial> {
  const day = localDay(clock.now(), await readTimeZone(tx, { contaId }))
  return (await findServicePrice(tx, { day })) ?? { milionesimos: null, moeda: DEFAULT_CURRENCY }
}

/** A month has one currency, unless its prices changed to another. Then the newest one counts. */
function currencyOf(rows: readonly CostRow[]): string {
  return rows.findLast(({ moeda }) => moeda !== '')?.moeda ?? DEFAULT_CURRENCY
}

const countOf = (rows: readonly CostRow[]): number => rows.reduce((sum, { mensagens }) => sum + mensagens, 0)

const valueOf = (rows: readonly CostRow[], currency: string): number =>
  rows.reduce((sum, { moeda, milionesimos }) => sum + (moeda === currency ? milionesimos : 0), 0)
