import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { adminSistemaRoute } from '@balcao/contract/routes/admin'
import { useQuery } from '@tanstack/react-query'
import { Clock, Cpu, HardDrive, MemoryStick } from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { formatPercent, noFuso } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { formatBytes, formatEspera } from './medidas.ts'
import { Bots, Copia, Dados, Emails, Fila, Nos, Versoes } from './sistema-cartoes.tsx'

const hora = noFuso({ timeStyle: 'medium' })

const ATUALIZAR_MS = 10_000

export function SistemaAba() {
  const { data, error, refetch, isRefetchError } = useQuery({
    queryKey: ['admin', 'sistema'],
    queryFn: ({ signal }) => call(adminSistemaRoute, { signal }),
    refetchInterval: ATUALIZAR_MS,
  })
  return (
    <section aria-labelledby="sistema" aria-busy={data === undefined && error === null} className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="sistema" className="text-xl font-bold">
          Sistema
        </h2>
        {data !== undefined && (
          <p className="text-sm text-muted tabular-nums">
            {isRefetchError ? 'Sem resposta do servidor. Última medição' : 'Medido'} às{' '}
            <time dateTime={data.em}>{hora(data.em)}</time>
          </p>
        )}
      </div>
      {data !== undefined ? (
        <Medidas sistema={data} />
      ) : error !== null ? (
        <div className="card">
          <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
        </div>
      ) : (
        <Esqueleto />
      )}
    </section>
  )
}

function Medidas({ sistema }: { sistema: SistemaAdmin }) {
  return (
    <>
      <Maquina sistema={sistema} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <Bots sistema={sistema} />
        <Fila sistema={sistema} />
        <Copia copia={sistema.ultimaCopia} agora={sistema.em} />
        <Emails emails={sistema.emails} />
        <Dados sistema={sistema} />
        <Versoes versoes={sistema.versoes} />
      </div>
      <Nos nos={sistema.nos} agora={sistema.em} />
    </>
  )
}

/** Warns above 75 %, alerts above 90 %. */
const corDe = (percentual: number): 'brand' | 'warn' | 'danger' =>
  percentual > 90 ? 'danger' : percentual > 75 ? 'warn' : 'brand'

function Maquina({ sistema: { noArS, cpuPercentual, tempoRespostaS, memoria, disco } }: { sistema: SistemaAdmin }) {
  const usada = (memoria.usadaBytes / Math.max(1, memoria.totalBytes)) * 100
  const ocupado = (1 - disco.livreBytes / Math.max(1, disco.totalBytes)) * 100
  return (
    <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <StatCard
        rotulo="No ar há"
        icone={<Clock size={18} aria-hidden className="flex-none max-sm:hidden" />}
        valor={formatEspera(noArS)}
        detalhe={`resposta média de ${Math.round(tempoRespostaS * 1000)} ms`}
      />
      <StatCard
        rotulo="Processador"
        icone={<Cpu size={18} aria-hidden className="flex-none max-sm:hidden" />}
        valor={formatPercent(cpuPercentual)}
        detalhe={<Barra rotulo="Uso do processador" percentual={cpuPercentual} />}
      />
      <StatCard
        rotulo="Memória"
        icone={<MemoryStick size={18} aria-hidden className="flex-none max-sm:hidden" />}
        valor={formatBytes(memoria.processoBytes)}
        detalhe={
          <>
            <Barra rotulo="Memória da máquina em uso" percentual={usada} />
            <span className="mt-1 block">
              máquina: {formatBytes(memoria.usadaBytes)} de {formatBytes(memoria.totalBytes)}
            </span>
          </>
        }
      />
      <StatCard
        rotulo="Disco livre"
        icone={<HardDrive size={18} aria-hidden className="flex-none max-sm:hidden" />}
        valor={formatBytes(disco.livreBytes)}
        detalhe={
          <>
            <Barra rotulo="Disco ocupado" percentual={ocupado} />
            <span className="mt-1 block">de {formatBytes(disco.totalBytes)}</span>
          </>
        }
      />
    </div>
  )
}

function Barra({ rotulo, percentual }: { rotulo: string; percentual: number }) {
  return (
    <span className="mt-1.5 block">
      <Meter rotulo={rotulo} percentual={percentual} cor={corDe(percentual)} />
    </span>
  )
}

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando o sistema" className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        {[1, 2, 3, 4].map((cartao) => (
          <Skeleton key={cartao} className="h-28 w-full !rounded-card" />
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {[1, 2, 3, 4].map((cartao) => (
          <Skeleton key={cartao} className="h-40 w-full !rounded-card" />
        ))}
      </div>
    </div>
  )
}
