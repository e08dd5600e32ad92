import type { Relatorio as Dados } from '@balcao/contract/entities/relatorio'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Download } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { baixar } from '#shared/baixar.ts'
import { useConfig } from '#shared/dados/config.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, Leitura, Skeleton } from '#shared/ui/states.tsx'
import { AcoesDoPainel } from './acoes-do-painel.tsx'
import { type Escolha, EscolhaDoPeriodo } from './escolha-do-periodo.tsx'
import { NumerosDoPeriodo } from './numeros-do-periodo.tsx'
import { formatPeriodo, hojeEm, type Periodo, periodoDe } from './periodo.ts'
import { nomeDoArquivo, relatorioEmCsv } from './relatorio-em-csv.ts'
import { acharSetor, useSetores } from './use-setores.ts'

const PADRAO = '30dias'

function useRelatorio(periodo: Periodo) {
  return useQuery({
    queryKey: ['atendimento', 'relatorio', periodo],
    queryFn: ({ signal }) => call(relatorioRoute, { query: periodo, signal }),
    networkMode: 'always',
    placeholderData: (antes) => antes,
  })
}

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando o relatório" aria-busy="true" className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((cartao) => (
          <Skeleton key={cartao} className="h-24 !rounded-card" />
        ))}
      </div>
      <Skeleton className="h-72 w-full !rounded-card" />
      <Skeleton className="h-40 w-full !rounded-card" />
    </div>
  )
}

function Vazio({ padrao, onVerMais }: { padrao: boolean; onVerMais: () => void }) {
  return (
    <div className="card">
      <EmptyState
        titulo="Nenhuma conversa neste período"
        icone={<ChartColumn size={22} aria-hidden />}
        acao={
          !padrao && (
            <Button className="min-h-11" onClick={onVerMais}>
              Ver os últimos 30 dias
            </Button>
          )
        }
      >
        Aqui entram as conversas que o bot passou para uma pessoa. As de teste não contam.
      </EmptyState>
    </div>
  )
}

export function Relatorio() {
  const { config } = useConfig()
  const [agora, setAgora] = useState(() => new Date())
  const hoje = hojeEm(config.atendimento.horario.fuso, agora)
  const [escolha, setEscolha] = useState<Escolha>(PADRAO)
  const [datas, setDatas] = useState<Periodo | null>(null)
  const periodo = escolha === 'datas' ? (datas ?? periodoDe(PADRAO, hoje)) : periodoDe(escolha, hoje)
  const setores = useSetores()
  const consulta = useRelatorio(periodo)
  const { data, isPlaceholderData } = consulta
  const exportar = (relatorio: Dados): void => {
    baixar(
      nomeDoArquivo(relatorio),
      'text/csv',
      relatorioEmCsv(relatorio, (id) => acharSetor(setores, id).nome),
    )
    avisar.sucesso('Relatório baixado.')
  }
  return (
    <>
      <EscolhaDoPeriodo
        hoje={hoje}
        periodo={periodo}
        escolha={escolha}
        onEscolher={(nova) => {
          if (nova === 'datas') setDatas(periodo)
          // The page may be open since yesterday: takes the current date.
          setAgora(new Date())
          setEscolha(nova)
        }}
        onDatas={setDatas}
      />
      <AcoesDoPainel>
        <Button
          className="min-h-11"
          disabled={data === undefined || isPlaceholderData}
          onClick={() => data !== undefined && exportar(data)}
        >
          <Download size={18} aria-hidden /> Baixar planilha
        </Button>
      </AcoesDoPainel>
      <Leitura emCartao consulta={consulta} esqueleto={<Esqueleto />}>
        {(relatorio) => (
          <div
            aria-busy={isPlaceholderData}
            className={`grid grid-cols-[minmax(0,1fr)] gap-4 transition-opacity ${isPlaceholderData ? 'opacity-60' : ''}`}
          >
            <p className="text-sm font-semibold text-muted" role="status">
              {formatPeriodo(relatorio)}
            </p>
            {relatorio.total.conversas === 0 && relatorio.total.avaliacoes === 0 ? (
              <Vazio padrao={escolha === PADRAO} onVerMais={() => setEscolha(PADRAO)} />
            ) : (
              <NumerosDoPeriodo relatorio={relatorio} setores={setores} />
            )}
          </div>
        )}
      </Leitura>
    </>
  )
}
