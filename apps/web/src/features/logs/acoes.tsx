import { Download, Pause, Play, RefreshCw, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import type { Filtro } from './filtro.ts'

const Manutencao = lazy(async () => ({ default: (await import('./manutencao.tsx')).Manutencao }))
const Limpar = lazy(async () => ({ default: (await import('./limpar.tsx')).Limpar }))

export interface AcoesProps {
  readonly filtro: Filtro
  /** Null while unknown. */
  readonly manutencao: boolean | null
  /** Refetches all data on screen. Rejects with the text to show. */
  readonly atualizar: () => Promise<void>
}

export function Acoes({ filtro, manutencao, atualizar }: AcoesProps) {
  const [aberta, setAberta] = useState<'manutencao' | 'limpar' | null>(null)
  const [fazendo, setFazendo] = useState<'atualizar' | 'exportar' | null>(null)
  const fechar = (): void => setAberta(null)

  async function fazer(qual: 'atualizar' | 'exportar', acao: () => Promise<void>, erro: string): Promise<void> {
    setFazendo(qual)
    try {
      await acao()
    } catch (causa) {
      avisar.erro(`${erro}: ${mensagemDe(causa)}`)
    } finally {
      setFazendo(null)
    }
  }

  async function exportar(): Promise<void> {
    const { baixarLogs, EXPORTACAO_MAXIMO, lerTudo } = await import('./exportar.ts')
    const exportados = await lerTudo(filtro)
    if (exportados.logs.length === 0) return void avisar.info('Não há registros para exportar com este filtro.')
    baixarLogs(exportados, new Date())
    if (!exportados.cortado) return void avisar.sucesso('Logs exportados com sucesso!')
    avisar.info(
      `Exportados os ${formatNumber(EXPORTACAO_MAXIMO)} logs mais recentes. Para os outros, filtre por período ou tipo.`,
    )
  }

  return (
    <div className="grid grid-cols-2 gap-2 sm:flex">
      <Button
        variante="ghost"
        className="min-h-11 bg-warn-soft text-warn-ink max-sm:col-span-2"
        disabled={manutencao === null}
        onClick={() => setAberta('manutencao')}
      >
        {manutencao === true ? <Play size={17} aria-hidden /> : <Pause size={17} aria-hidden />}
        {manutencao === true ? 'Encerrar manutenção' : 'Iniciar manutenção'}
      </Button>
      <Button
        className="min-h-11 sm:ml-auto"
        ocupado={fazendo === 'atualizar'}
        onClick={() => void fazer('atualizar', atualizar, 'Erro ao atualizar dados')}
      >
        {fazendo !== 'atualizar' && <RefreshCw size={17} aria-hidden />} Atualizar
      </Button>
      <Button
        className="min-h-11"
        ocupado={fazendo === 'exportar'}
        onClick={() => void fazer('exportar', exportar, 'Erro ao exportar logs')}
      >
        {fazendo !== 'exportar' && <Download size={17} aria-hidden />} Exportar
      </Button>
      <Button variante="danger" className="min-h-11 max-sm:col-span-2" onClick={() => setAberta('limpar')}>
        <Trash2 size={17} aria-hidden /> Limpar conversas
      </Button>
      <Suspense>
        {aberta === 'manutencao' && manutencao !== null && <Manutencao ativa={manutencao} onFechar={fechar} />}
        {aberta === 'limpar' && <Limpar onFechar={fechar} />}
      </Suspense>
    </div>
  )
}
