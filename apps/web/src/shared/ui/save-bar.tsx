import { Button } from './button.tsx'

export interface SaveBarProps {
  readonly alterado: boolean
  readonly salvando: boolean
  readonly onDescartar: () => void
  readonly onSalvar: () => void
}

export function SaveBar({ alterado, salvando, onDescartar, onSalvar }: SaveBarProps) {
  if (!alterado) return null
  return (
    <div
      className="barra-salvar rise sticky z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-3 rounded-2xl border border-line bg-surface py-2 pr-2 pl-4 shadow-pop max-[26rem]:pl-2"
      role="region"
      aria-label="Alterações não salvas"
    >
      <span className="text-sm font-semibold max-[26rem]:sr-only">Alterações não salvas</span>
      <Button variante="ghost" tamanho="sm" onClick={onDescartar} disabled={salvando}>
        Descartar
      </Button>
      <Button variante="primary" tamanho="sm" onClick={onSalvar} ocupado={salvando}>
        {salvando ? 'Salvando…' : 'Salvar alterações'}
      </Button>
    </div>
  )
}
