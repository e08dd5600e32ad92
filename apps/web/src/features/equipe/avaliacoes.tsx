import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import { avaliacoesRoute } from '@balcao/contract/routes/atendimento'
import { useQuery } from '@tanstack/react-query'
import { FlaskConical, Star } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { useConfig } from '#shared/dados/config.ts'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Recado } from '#shared/ui/recado.tsx'
import { ChipDoSetor } from '#shared/ui/setor.tsx'
import { EmptyState, Leitura, Skeleton } from '#shared/ui/states.tsx'
import { AcoesDoPainel } from './acoes-do-painel.tsx'
import { Distribuicao } from './distribuicao.tsx'
import { Estrelas, formatNota, palavraDaNota } from './nota.tsx'
import { type ColunaDaTabela, Tabela } from './tabela.tsx'
import { TestarAvaliacao } from './testar-avaliacao.tsx'
import { UltimasAvaliacoes } from './ultimas-avaliacoes.tsx'
import { acharSetor, useSetores } from './use-setores.ts'

const avaliacoes = (quantas: number): string => (quantas === 1 ? '1 avaliação' : `${formatNumber(quantas)} avaliações`)

interface Media {
  readonly total: number
  readonly notaMedia: number
}

const COLUNAS: readonly ColunaDaTabela<Media>[] = [
  { titulo: 'Avaliações', valor: ({ total }) => formatNumber(total) },
  {
    titulo: 'Média',
    valor: ({ notaMedia }) => (
      <span className="inline-flex items-center gap-2 font-semibold">
        {formatNota(notaMedia)} <Estrelas nota={notaMedia} tamanho={14} className="max-sm:hidden" />
      </span>
    ),
  },
]

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando as avaliações" aria-busy="true" className="grid gap-4 lg:grid-cols-2">
      <Skeleton className="h-56 !rounded-card" />
      <Skeleton className="h-56 !rounded-card" />
      <Skeleton className="h-72 !rounded-card lg:col-span-2" />
    </div>
  )
}

function Resumo({ notaMedia, total }: { notaMedia: number; total: number }) {
  return (
    <section
      aria-label="Nota média"
      className="card grid place-content-center justify-items-center gap-2 p-6 text-center"
    >
      <p className="text-6xl font-extrabold tracking-tight tabular-nums">
        {formatNota(notaMedia)}
        <span className="text-2xl font-bold text-muted"> de 5</span>
      </p>
      <Estrelas nota={notaMedia} tamanho={28} />
      <p className="text-lg font-bold">{palavraDaNota(notaMedia)}</p>
      <p className="text-muted">{avaliacoes(total)}</p>
    </section>
  )
}

function Numeros({ stats }: { stats: AvaliacaoStats }) {
  const setores = useSetores()
  const { totalAvaliacoes, notaMedia, distribuicaoNotas, ultimasAvaliacoes, porSetor, porOperador } = stats
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Resumo notaMedia={notaMedia ?? 0} total={totalAvaliacoes} />
        <Card titulo="Como as notas se dividem">
          <Distribuicao distribuicao={distribuicaoNotas} total={totalAvaliacoes} />
        </Card>
      </div>
      <Card titulo="Últimas avaliações">
        <UltimasAvaliacoes ultimas={ultimasAvaliacoes} setores={setores} />
      </Card>
      {(porSetor.length > 0 || porOperador.length > 0) && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
          {porSetor.length > 0 && (
            <Card titulo="Por setor">
              <Tabela
                legenda="Avaliações por setor"
                linhas={porSetor}
                chave={({ setor }) => setor}
                nome={{ titulo: 'Setor', valor: ({ setor }) => <ChipDoSetor setor={acharSetor(setores, setor)} /> }}
                colunas={COLUNAS}
              />
            </Card>
          )}
          {porOperador.length > 0 && (
            <Card titulo="Por pessoa">
              <Tabela
                legenda="Avaliações por pessoa"
                linhas={porOperador}
                chave={({ operadorId }) => operadorId}
                nome={{ titulo: 'Pessoa', valor: ({ operador }) => <span className="block truncate">{operador}</span> }}
                colunas={COLUNAS}
              />
            </Card>
          )}
        </div>
      )}
    </>
  )
}

export function Avaliacoes() {
  const consulta = useQuery({
    queryKey: ['atendimento', 'avaliacoes'],
    queryFn: ({ signal }) => call(avaliacoesRoute, { signal }),
    networkMode: 'always',
  })
  const { config, origem } = useConfig()
  const [testando, setTestando] = useState(false)
  const testar = (
    <Button className="min-h-11" onClick={() => setTestando(true)}>
      <FlaskConical size={18} aria-hidden /> Testar avaliação
    </Button>
  )
  const desligada = origem === 'servidor' && !config.atendimento.avaliacao.ativa
  return (
    <>
      {desligada && (
        <Recado tom="info" titulo="A pergunta da nota está desligada">
          Hoje o bot não pede nota no fim do atendimento. As que já vieram continuam aqui.
        </Recado>
      )}
      <Leitura emCartao consulta={consulta} esqueleto={<Esqueleto />}>
        {(stats) =>
          stats.totalAvaliacoes === 0 ? (
            <div className="card">
              <EmptyState titulo="Nenhuma avaliação ainda" icone={<Star size={22} aria-hidden />} acao={testar}>
                Quando você finaliza uma conversa, o bot pede ao cliente uma nota de 0 a 5. As respostas aparecem aqui.
              </EmptyState>
            </div>
          ) : (
            <>
              <AcoesDoPainel>{testar}</AcoesDoPainel>
              <Numeros stats={stats} />
            </>
          )
        }
      </Leitura>
      {testando && <TestarAvaliacao onFechar={() => setTestando(false)} />}
    </>
  )
}
