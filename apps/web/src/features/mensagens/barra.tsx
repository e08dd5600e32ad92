import { MODELOS_MENU } from '@balcao/contract/modelos'
import { Copy, LayoutTemplate, Pencil, RotateCcw } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import type { Editor } from './use-editor.ts'

const ICONE = 'hidden flex-none min-[400px]:block'

/** What can be done with the whole menu. On a phone the way into editing, and out of it, is as wide as the thumb wants. */
export function Barra({ editor, onCopiar }: { editor: Editor; onCopiar: () => void }) {
  return (
    <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
      <div className="flex gap-1 max-sm:order-2 max-sm:justify-between sm:mr-auto">
        <Button variante="ghost" className="max-sm:!px-2 max-[400px]:!text-sm" onClick={onCopiar}>
          <Copy size={16} aria-hidden className={ICONE} /> Copiar menu
        </Button>
        <Button variante="ghost" className="max-sm:!px-2 max-[400px]:!text-sm" onClick={() => void editor.restaurar()}>
          <RotateCcw size={16} aria-hidden className={ICONE} /> Restaurar
        </Button>
        <Menu
          rotulo="Modelos de menu"
          className="btn btn-ghost max-sm:!px-2 max-[400px]:!text-sm"
          botao={
            <>
              <LayoutTemplate size={16} aria-hidden className={ICONE} /> Modelos
            </>
          }
          itens={MODELOS_MENU.map(({ id, nome }) => ({ rotulo: nome, fazer: () => editor.aplicarModelo(id) }))}
        />
      </div>
      <div className="flex gap-2 max-sm:*:min-h-11 max-sm:*:flex-1">
        {editor.editando ? (
          <>
            <Button onClick={editor.cancelar} disabled={editor.salvando}>
              Cancelar
            </Button>
            <Button variante="primary" ocupado={editor.salvando} onClick={() => void editor.salvar()}>
              {editor.salvando ? 'Salvando…' : 'Salvar'}
            </Button>
          </>
        ) : (
          <Button variante="primary" onClick={editor.editar}>
            <Pencil size={16} aria-hidden /> Editar
          </Button>
        )}
      </div>
    </div>
  )
}
