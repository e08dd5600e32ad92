import { Pause, Play } from 'lucide-react'
import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import { lazy, Suspense, useState } from 'react'
import { useEstadoSocket } from '#shared/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { Leitura } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import type { LogsLidos } from './consultas.ts'
import { EsqueletoDaLista } from './esqueleto-da-lista.tsx'
import type { Filtro } from './filtro.ts'
import { Lista, quantas } from './lista.tsx'
import { PainelDeFiltros } from './painel-de-filtros.tsx'
import type { Pausa } from './use-pausa.ts'

const SemRegistros = lazy(async () => ({ default: (await import('./sem-registros.tsx')).SemRegistros }))

interface Consulta {
  readonly data: LogsLidos | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}

export interface RegistrosProps {
  readonly filtro: Filtro
  readonly onFiltrar: (mudanca: Partial<Filtro>) => void
  readonly consulta: Consulta
  readonly pausa: Pausa
}

export function Registros({ filtro, onFiltrar, consulta, pausa }: RegistrosProps) {
  const [detalhes, setDetalhes] = useState(false)
  const { isPlaceholderData } = consulta
  return (
    <div className="card min-w-0 overflow-hidden">
      <PainelDeFiltros filtro={filtro} onMudar={onFiltrar} />
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-b border-line px-3 py-2 text-sm sm:px-4">
        <AoVivo filtro={filtro} pausa={pausa} />
        <Switch rotulo="Mostrar detalhes" ligado={detalhes} onMudar={setDetalhes} />
      </div>
      <Leitura consulta={consulta} esqueleto={<EsqueletoDaLista rotulo="Carregando os registros" />}>
        {({ logs, proximoCursor }) =>
          logs.length === 0 && pausa.vistos.length === 0 ? (
            <Suspense>
              <SemRegistros filtro={filtro} onFiltrar={onFiltrar} />
            </Suspense>
          ) : (
            <>
              <Lista
                pausa={pausa}
                mostrarDetalhes={detalhes}
                comDia={filtro.periodo !== 'hoje'}
                esmaecida={isPlaceholderData}
              />
              {(proximoCursor !== undefined || logs.length >= LOGS_MANTIDOS) && (
                <p className="border-t border-line px-3 py-2 text-sm text-muted sm:px-4">
                  Aqui ficam os {LOGS_MANTIDOS} mais recentes. Para ver outros, filtre ou exporte.
                </p>
              )}
            </>
          )
        }
      </Leitura>
    </div>
  )
}

function AoVivo({ filtro, pausa }: { filtro: Filtro; pausa: Pausa }) {
  const { tipo } = useEstadoSocket()
  if (filtro.periodo === 'ontem') return <p className="text-muted">Registros de ontem: não mudam mais.</p>
  const { pausada, pedida, novas, mudar } = pausa
  const estado = tipo !== 'online' ? 'Sem conexão em tempo real' : pausada ? 'Em pausa' : 'Ao vivo'
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="inline-flex items-center gap-2 font-semibold">
        <span
          aria-hidden
          className={`size-2 rounded-full ${tipo !== 'online' ? 'bg-danger' : pausada ? 'bg-warn-fill' : 'bg-brand'}`}
        />
        {estado}
        {novas > 0 && <span className="font-normal text-muted">({quantas(novas)})</span>}
      </p>
      <Button variante="ghost" tamanho="sm" className="min-h-9" onClick={() => mudar('pedido', !pedida)}>
        {pedida ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
        {pedida ? 'Continuar' : 'Pausar a lista'}
      </Button>
    </div>
  )
}
