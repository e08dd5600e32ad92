import type { Lacuna } from '@balcao/contract/entities/lacuna'
import { LACUNAS_DIAS } from '@balcao/contract/constants'
import { EyeOff, MessageCircleQuestion, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Select } from '#shared/ui/select.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { useIgnoreGap, useGaps, useRemedies } from './use-gaps.ts'

const PERIODS = [7, LACUNAS_DIAS, 90].map((days) => ({ valor: String(days), rotulo: `Últimos ${days} dias` }))
const SHOWN = 5

/** Questions of customers that got no answer of the bot, each with what the owner can do about it. */
export function GapsCard() {
  const [period, setPeriod] = useState(String(LACUNAS_DIAS))
  const dias = Number(period)
  const query = useGaps(dias)
  return (
    <Card heading="O que os clientes perguntam" aria-label="O que os clientes perguntam" className="min-w-0">
      <p className="-mt-2 text-sm text-muted">
        Perguntas que o bot não respondeu, feitas por 3 pessoas ou mais. Ficam sem nomes e números de clientes.
      </p>
      <div className="mt-3 max-w-56">
        <Select label="Período" value={period} onChange={setPeriod} options={PERIODS} />
      </div>
      <QueryState
        query={query}
        skeleton={
          <div role="status" aria-busy="true" aria-label="Carregando as perguntas" className="mt-4 grid gap-3">
            <Skeleton className="h-24 w-full" />
            <Skeleton className="h-24 w-full" />
          </div>
        }
      >
        {({ lacunas, analisadas }) =>
          lacunas.length === 0 ? (
            <EmptyState title="Nada para responder" icon={<MessageCircleQuestion size={22} aria-hidden />}>
              {analisadas === 0
                ? 'As mensagens que o bot não entender aparecem aqui.'
                : `Nenhuma pergunta se repete nas ${formatNumber(analisadas)} mensagens deste período.`}
            </EmptyState>
          ) : (
            <GapRows key={period} lacunas={lacunas} dias={dias} />
          )
        }
      </QueryState>
    </Card>
  )
}

function GapRows({ lacunas, dias }: { lacunas: readonly Lacuna[]; dias: number }) {
  const [all, setAll] = useState(false)
  return (
    <>
      <ul className="mt-4 divide-y border-t border-line">
        {(all ? lacunas : lacunas.slice(0, SHOWN)).map((lacuna) => (
          <GapRow key={lacuna.id} lacuna={lacuna} dias={dias} />
        ))}
      </ul>
      {lacunas.length > SHOWN && !all && (
        <Button className="mt-3 min-h-11" onClick={() => setAll(true)}>
          Mostrar mais {lacunas.length - SHOWN}
        </Button>
      )}
    </>
  )
}

const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

function GapRow({ lacuna, dias }: { lacuna: Lacuna; dias: number }) {
  const { rotulo, pessoas, mensagens, transferencias, exemplos } = lacuna
  const id = useId()
  const remedies = useRemedies()
  const ignore = useIgnoreGap(dias)
  const handed = transferencias === 0 ? '' : ` · ${counted(transferencias, 'foi', 'foram')} para o atendimento`
  return (
    <li className="py-4" aria-labelledby={id}>
      <h3 id={id} className="font-bold wrap-anywhere">
        “{rotulo}”
      </h3>
      <p className="mt-0.5 text-sm text-muted tabular-nums">
        {counted(pessoas, 'pessoa', 'pessoas')} · {counted(mensagens, 'mensagem', 'mensagens')}
        {handed}
      </p>
      {exemplos.length > 1 && (
        <details className="text-sm">
          <summary className="flex min-h-11 w-fit cursor-pointer items-center rounded-lg font-semibold text-brand-ink">
            Ver exemplos<span className="sr-only"> de “{rotulo}”</span>
          </summary>
          <ul className="grid gap-1.5 pb-2">
            {exemplos.slice(1).map((exemplo) => (
              <li key={exemplo} className="rounded-lg bg-sunken px-3 py-2 wrap-anywhere">
                {exemplo}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {remedies.map(({ remedy, label, run }) => (
          <Button key={remedy} size="touch" aria-describedby={id} onClick={() => run(lacuna)}>
            <Plus size={16} aria-hidden /> {label}
          </Button>
        ))}
        <Button
          size="touch"
          variant="ghost"
          aria-describedby={id}
          busy={ignore.isPending}
          onClick={() => ignore.mutate(lacuna)}
        >
          <EyeOff size={16} aria-hidden /> Ignorar
        </Button>
      </div>
    </li>
  )
}
