import { Activity, Eraser, LoaderCircle, type LucideIcon, RefreshCw, Zap } from 'lucide-react'
import type { AcaoRapida, AcoesRapidas } from './acoes-rapidas.ts'

export const DESCRICAO_DA_ACAO: Readonly<Record<AcaoRapida, { titulo: string; icone: LucideIcon }>> = {
  setup: { titulo: 'Setup Rápido', icone: Zap },
  limpar: { titulo: 'Limpar Sessão', icone: Eraser },
  recarregar: { titulo: 'Recarregar Config', icone: RefreshCw },
  verificar: { titulo: 'Verificar Status Bot', icone: Activity },
}

interface BotaoProps {
  readonly acao: AcaoRapida
  readonly acoes: AcoesRapidas
  readonly onClick: () => void
}

function Botao({ acao, acoes: { emCurso }, onClick }: BotaoProps) {
  const { titulo, icone: Icone } = DESCRICAO_DA_ACAO[acao]
  const rodando = emCurso?.acao === acao
  return (
    <button
      type="button"
      className="flex min-h-9 w-full items-center gap-2.5 rounded-lg px-2 text-left text-sm text-muted hover:bg-sunken hover:text-ink disabled:opacity-55 disabled:hover:bg-transparent"
      disabled={emCurso !== null && !rodando}
      aria-busy={rodando}
      onClick={onClick}
    >
      {rodando ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        <Icone aria-hidden className="size-4 flex-none" />
      )}
      <span>{titulo}</span>
      {rodando && emCurso.passo !== undefined && <output className="ml-auto text-xs">{emCurso.passo}</output>}
    </button>
  )
}

export function ListaDeAcoes({ acoes, onPedirLimpeza }: { acoes: AcoesRapidas; onPedirLimpeza: () => void }) {
  return (
    <section aria-labelledby="acoes-rapidas">
      <h2 id="acoes-rapidas" className="px-2 text-sm font-semibold">
        Ações rápidas
      </h2>
      <div className="mt-1">
        <Botao acao="setup" acoes={acoes} onClick={() => void acoes.setupRapido()} />
        <Botao acao="limpar" acoes={acoes} onClick={onPedirLimpeza} />
        <Botao acao="recarregar" acoes={acoes} onClick={() => void acoes.recarregar()} />
        <Botao acao="verificar" acoes={acoes} onClick={() => void acoes.verificar()} />
      </div>
    </section>
  )
}
