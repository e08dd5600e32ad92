import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { ROTULO_DO_STATUS } from '#shared/dados/avisos-do-status.ts'
import { tomDoStatus } from '#shared/dados/tom-do-status.ts'
import { useBotStatus } from '#shared/dados/bot-status.ts'
import { formatNumber } from '#shared/format.ts'
import { Skeleton } from '#shared/ui/states.tsx'
import { emSegundos, fraseDaVariacao, fraseDoSinal, haQuanto, porcento } from './numeros.ts'

type Tom = 'bom' | 'atencao' | 'ruim' | 'neutro'

const COR: Readonly<Record<Tom, string>> = {
  bom: 'text-brand-ink',
  atencao: 'text-warn-ink',
  ruim: 'text-danger-ink',
  neutro: 'text-muted',
}
const TOM_DO_STATUS = { verde: 'bom', amarelo: 'atencao', vermelho: 'ruim', cinza: 'neutro' } as const

interface CartaoProps {
  readonly rotulo: string
  readonly valor: string
  readonly detalhe: string
  readonly tom: Tom
  readonly nota: string
}

function Cartao({ rotulo, valor, detalhe, tom, nota }: CartaoProps) {
  return (
    <div className="card min-w-0 p-3 sm:p-4">
      <dt className="text-sm font-semibold text-muted">{rotulo}</dt>
      <dd className="mt-0.5">
        <span className="block text-lg leading-tight font-extrabold [overflow-wrap:anywhere] tabular-nums sm:text-2xl">
          {valor}
        </span>
        <span className={`mt-1 block text-sm font-semibold tabular-nums ${COR[tom]}`}>{detalhe}</span>
        <span className="block text-xs text-muted tabular-nums">{nota}</span>
      </dd>
    </div>
  )
}

const IA = { ativa: 'Ativa', inativa: 'Inativa', sem_chave: 'Sem API Key' } as const
const TOM_DO_SINAL = { forte: 'bom', medio: 'atencao', fraco: 'ruim' } as const

function Conexao({ sistema }: { sistema: SistemaStatus }) {
  const { bot, conhecido } = useBotStatus()
  const status = conhecido ? bot.status : sistema.whatsapp
  const conectado = status === 'CONECTADO'
  const { sinal, ultimoQuadroS } = sistema
  return (
    <Cartao
      rotulo="WhatsApp"
      valor={ROTULO_DO_STATUS[status]}
      detalhe={fraseDoSinal(conectado ? sinal : null)}
      tom={conectado && sinal !== null ? TOM_DO_SINAL[sinal] : TOM_DO_STATUS[tomDoStatus(status)]}
      nota={conectado && ultimoQuadroS !== null ? `última notícia ${haQuanto(ultimoQuadroS)}` : 'sem conexão agora'}
    />
  )
}

export function Cartoes({ sistema, foraDoAr }: { sistema: SistemaStatus | undefined; foraDoAr: boolean }) {
  if (sistema === undefined) {
    return (
      <div role="status" aria-label="Carregando o status" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((cartao) => (
          <Skeleton key={cartao} className="h-24 !rounded-card" />
        ))}
      </div>
    )
  }
  const { cpu, memoria, tempoResposta, tempoRespostaIa, falhasIaHoje, ia, mensagensHoje, variacaoMensagens } = sistema
  const variacao = fraseDaVariacao(variacaoMensagens)
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Conexao sistema={sistema} />
      <Cartao
        rotulo="Servidor"
        valor={foraDoAr ? 'Offline' : 'Online'}
        detalhe={`CPU ${porcento(cpu)}`}
        tom={foraDoAr ? 'ruim' : cpu > 90 ? 'atencao' : 'bom'}
        nota={`Memória ${porcento(memoria)} · resposta ${emSegundos(tempoResposta)}`}
      />
      <Cartao
        rotulo="IA"
        valor={IA[ia]}
        detalhe={tempoRespostaIa === null ? 'Sem respostas' : `Resposta ${emSegundos(tempoRespostaIa)}`}
        tom={falhasIaHoje > 0 ? 'atencao' : tempoRespostaIa === null ? 'neutro' : 'bom'}
        nota={
          falhasIaHoje > 0
            ? `falhas do Gemini hoje: ${formatNumber(falhasIaHoje)}`
            : tempoRespostaIa === null
              ? 'nas últimas 24 horas'
              : 'média das últimas 24 horas'
        }
      />
      <Cartao
        rotulo="Mensagens hoje"
        valor={formatNumber(mensagensHoje)}
        detalhe={variacao ?? 'Sem comparação'}
        tom={variacao === null || variacaoMensagens === 0 ? 'neutro' : 'bom'}
        nota={variacao === null ? 'ontem não houve até esta hora' : 'comparado a ontem até esta hora'}
      />
    </dl>
  )
}
