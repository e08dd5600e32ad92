import type { Setor } from '@balcao/contract/entities/config'
import type { Relatorio } from '@balcao/contract/entities/relatorio'
import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '#shared/format.ts'
import { Card } from '#shared/ui/card.tsx'
import { ChipDoSetor } from '#shared/ui/setor.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { formatDuracao } from './duracao.ts'
import { Grafico } from './grafico.tsx'
import { Estrelas, formatNota } from './nota.tsx'
import { formatDiaDaSemana } from './periodo.ts'
import { type ColunaDaTabela, SemMedida, Tabela } from './tabela.tsx'
import { acharSetor } from './use-setores.ts'

type Numeros = Relatorio['total']

const tempo = (ms: number | null): ReactNode => (ms === null ? <SemMedida /> : formatDuracao(ms))

const COLUNAS: readonly ColunaDaTabela<Numeros>[] = [
  { titulo: 'Conversas', valor: ({ conversas }) => formatNumber(conversas) },
  { titulo: 'Finalizadas', valor: ({ finalizadas }) => formatNumber(finalizadas) },
  { titulo: '1ª resposta', valor: ({ primeiraRespostaMs }) => tempo(primeiraRespostaMs) },
  { titulo: 'Resolução', valor: ({ resolucaoMs }) => tempo(resolucaoMs) },
  { titulo: 'Nota', valor: ({ notaMedia }) => (notaMedia === null ? <SemMedida /> : formatNota(notaMedia)) },
]

function finalizadas({ conversas, finalizadas: fim }: Numeros): string {
  const dito = fim === 1 ? '1 finalizada' : `${formatNumber(fim)} finalizadas`
  return conversas === 0 ? dito : `${dito} (${formatPercent(Math.round((fim / conversas) * 100))})`
}

function Totais({ total }: { total: Numeros }) {
  const { notaMedia, avaliacoes } = total
  return (
    <div className="grid grid-cols-1 gap-3 min-[22rem]:grid-cols-2 lg:grid-cols-4">
      <StatCard rotulo="Conversas" valor={formatNumber(total.conversas)} detalhe={finalizadas(total)} />
      <StatCard
        rotulo="Primeira resposta"
        valor={tempo(total.primeiraRespostaMs)}
        detalhe="em média, desde a entrada na fila"
      />
      <StatCard rotulo="Resolução" valor={tempo(total.resolucaoMs)} detalhe="em média, da fila ao fim" />
      <StatCard
        rotulo="Nota média"
        valor={
          notaMedia === null ? (
            <SemMedida />
          ) : (
            <span className="flex flex-wrap items-center gap-2">
              {formatNota(notaMedia)} <Estrelas nota={notaMedia} />
            </span>
          )
        }
        detalhe={avaliacoes === 1 ? '1 avaliação' : `${formatNumber(avaliacoes)} avaliações`}
      />
    </div>
  )
}

export function NumerosDoPeriodo({ relatorio, setores }: { relatorio: Relatorio; setores: readonly Setor[] }) {
  const { total, dias, setores: porSetor, operadores } = relatorio
  return (
    <>
      <Totais total={total} />
      <Card titulo="Conversas por dia">
        {dias.length > 1 && <Grafico dias={dias} />}
        <details open={dias.length === 1} className="mt-3">
          <summary className="min-h-11 py-2.5 text-sm font-semibold text-brand-ink">Ver os números de cada dia</summary>
          <Tabela
            legenda="Números por dia"
            linhas={dias.toReversed()}
            chave={({ dia }) => dia}
            nome={{
              titulo: 'Dia',
              valor: ({ dia }) => (
                <span className="inline-block whitespace-nowrap first-letter:uppercase">{formatDiaDaSemana(dia)}</span>
              ),
            }}
            colunas={COLUNAS}
          />
        </details>
      </Card>
      {porSetor.length > 0 && (
        <Card titulo="Por setor">
          <Tabela
            legenda="Números por setor"
            linhas={porSetor}
            chave={({ setor }) => setor}
            nome={{ titulo: 'Setor', valor: ({ setor }) => <ChipDoSetor setor={acharSetor(setores, setor)} /> }}
            colunas={COLUNAS}
          />
        </Card>
      )}
      {operadores.length > 0 && (
        <Card titulo="Por pessoa">
          <Tabela
            legenda="Números por pessoa"
            linhas={operadores}
            chave={({ operadorId }) => operadorId}
            nome={{ titulo: 'Pessoa', valor: ({ operador }) => <span className="block truncate">{operador}</span> }}
            colunas={COLUNAS}
          />
        </Card>
      )}
    </>
  )
}
