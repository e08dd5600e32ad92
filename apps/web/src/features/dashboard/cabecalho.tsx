import { CircleCheck, CircleDashed, Menu, Search, TriangleAlert } from 'lucide-react'
import type { ConfigLida } from '#shared/dados/config.ts'
import { Chip } from '#shared/ui/chip.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { DESCRICAO_DA_ABA } from './abas.ts'
import { CentralDeAvisos } from './central-de-avisos.tsx'
import { ChipConexao } from './chip-conexao.tsx'
import type { Painel } from './painel.ts'

function ChipConfig({ config: { carregando, origem } }: { config: ConfigLida }) {
  if (origem === 'servidor') {
    return (
      <Chip tom="verde">
        <CircleCheck aria-hidden className="size-3.5" /> Configuração carregada
      </Chip>
    )
  }
  return carregando ? (
    <Chip tom="cinza">
      <CircleDashed aria-hidden className="size-3.5" /> Carregando configuração…
    </Chip>
  ) : (
    <Chip tom="vermelho">
      <TriangleAlert aria-hidden className="size-3.5" /> Configuração não carregada
    </Chip>
  )
}

export interface CabecalhoProps {
  readonly painel: Painel
  readonly menuAberto: boolean
  readonly onAbrirMenu: () => void
  readonly onBuscar: () => void
}

export function Cabecalho({ painel, menuAberto, onAbrirMenu, onBuscar }: CabecalhoProps) {
  return (
    <header className="sticky top-0 z-30 flex min-h-14 items-center gap-1 border-b bg-surface/95 px-2 [backdrop-filter:blur(8px)] sm:gap-2 sm:px-4">
      <span className="lg:hidden">
        <IconButton
          rotulo="Abrir menu"
          dica={false}
          aria-expanded={menuAberto}
          aria-controls="menu"
          icone={<Menu aria-hidden className="size-5" />}
          onClick={onAbrirMenu}
        />
      </span>
      <h1 className="min-w-0 truncate font-bold sm:text-lg">{DESCRICAO_DA_ABA[painel.aba].titulo}</h1>
      <div className="ml-auto flex items-center gap-1 sm:gap-2">
        <button type="button" className="btn btn-outline hidden text-muted md:inline-flex" onClick={onBuscar}>
          <Search aria-hidden className="size-4" />
          Buscar ou executar
          <kbd className="rounded border bg-sunken px-1.5 font-mono text-xs">Ctrl K</kbd>
        </button>
        <span className="md:hidden">
          <IconButton
            rotulo="Buscar ou executar"
            dica={false}
            icone={<Search aria-hidden className="size-4.5" />}
            onClick={onBuscar}
          />
        </span>
        <span className="hidden xl:inline-flex">
          <ChipConfig config={painel.config} />
        </span>
        <ChipConexao socket={painel.socket} />
        <CentralDeAvisos />
        <ThemeToggle />
      </div>
    </header>
  )
}
