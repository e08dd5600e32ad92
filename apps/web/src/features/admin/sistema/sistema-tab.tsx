import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { adminSistemaRoute } from '@balcao/contract/routes/admin'
import { useQuery } from '@tanstack/react-query'
import { Clock, Cpu, HardDrive, MemoryStick } from 'lucide-react'
import { call } from '#shared/api-client.ts'
import { formatPercent, zonedFormat } from '#shared/format.ts'
import { Meter } from '#shared/ui/meter.tsx'
import { StatCard } from '#shared/ui/stat-card.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { formatBytes, formatLongDuration } from './measures.ts'
import { BackupCard } from './backup-card.tsx'
import { NodesCard } from './nodes-card.tsx'
import { RestoreCard } from './restore-card.tsx'
import { BotsCard, StorageCard, EmailsCard, QueueCard, VersionsCard } from './sistema-cards.tsx'

const timeFormat = zonedFormat({ timeStyle: 'medium' })

const REFRESH_MS = 10_000
/** While a copy is being made. */
const RUNNING_MS = 2_000

export function SistemaTab() {
  const { data, error, refetch, isRefetchError } = useQuery({
    queryKey: ['admin', 'sistema'],
    queryFn: ({ signal }) => call(adminSistemaRoute, { signal }),
    refetchInterval: ({ state }) => (state.data?.copias?.emAndamento === true ? RUNNING_MS : REFRESH_MS),
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
            <time dateTime={data.em}>{timeFormat(data.em)}</time>
          </p>
        )}
      </div>
      {data !== undefined ? (
        <Measures sistema={data} />
      ) : error !== null ? (
        <div className="card">
          <ErrorState message={error.message} onRetry={() => void refetch()} />
        </div>
      ) : (
        <SistemaSkeleton />
      )}
    </section>
  )
}

function Measures({ sistema }: { sistema: SistemaAdmin }) {
  return (
    <>
      {sistema.restauracao !== null && <RestoreCard restauracao={sistema.restauracao} />}
      <Machine sistema={sistema} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <BotsCard sistema={sistema} />
        <QueueCard sistema={sistema} />
        <BackupCard sistema={sistema} />
        <EmailsCard emails={sistema.emails} />
        <StorageCard sistema={sistema} />
        <VersionsCard versoes={sistema.versoes} />
      </div>
      <NodesCard sistema={sistema} />
    </>
  )
}

/** Warns above 75 %, alerts above 90 %. */
const usageTone = (percent: number): 'brand' | 'warn' | 'danger' =>
  percent > 90 ? 'danger' : percent > 75 ? 'warn' : 'brand'

function Machine({ sistema: { noArS, cpuPercentual, tempoRespostaS, memoria, disco } }: { sistema: SistemaAdmin }) {
  const used = (memoria.usadaBytes / Math.max(1, memoria.totalBytes)) * 100
  const busy = (1 - disco.livreBytes / Math.max(1, disco.totalBytes)) * 100
  return (
    <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      <StatCard
        label="No ar há"
        icon={<Clock size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatLongDuration(noArS)}
        detail={`resposta média de ${Math.round(tempoRespostaS * 1000)} ms`}
      />
      <StatCard
        label="Processador"
        icon={<Cpu size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatPercent(cpuPercentual)}
        detail={<UsageBar label="Uso do processador" percent={cpuPercentual} />}
      />
      <StatCard
        label="Memória"
        icon={<MemoryStick size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatBytes(memoria.processoBytes)}
        detail={
          <>
            <UsageBar label="Memória da máquina em uso" percent={used} />
            <span className="mt-1 block">
              máquina: {formatBytes(memoria.usadaBytes)} de {formatBytes(memoria.totalBytes)}
            </span>
          </>
        }
      />
      <StatCard
        label="Disco livre"
        icon={<HardDrive size={18} aria-hidden className="flex-none max-sm:hidden" />}
        value={formatBytes(disco.livreBytes)}
        detail={
          <>
            <UsageBar label="Disco ocupado" percent={busy} />
            <span className="mt-1 block">de {formatBytes(disco.totalBytes)}</span>
          </>
        }
      />
    </div>
  )
}

function UsageBar({ label, percent }: { label: string; percent: number }) {
  return (
    <span className="mt-1.5 block">
      <Meter label={label} percent={percent} color={usageTone(percent)} />
    </span>
  )
}

function SistemaSkeleton() {
  return (
    <div role="status" aria-label="Carregando o sistema" className="grid gap-4">
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} className="h-28 w-full rounded-card" />
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} className="h-40 w-full rounded-card" />
        ))}
      </div>
    </div>
  )
}
