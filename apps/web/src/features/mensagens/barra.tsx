import { Copy, LayoutTemplate, Pencil, RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#shared/ui/button.tsx'
import type { Editor } from './use-editor.ts'

const Modelos = lazy(async () => ({ default: (await import('./modelos.tsx')).Modelos }))

const ICONE = 'hidden flex-none min-[400px]:block'
const MIUDO = 'max-sm:!px-2 max-[400px]:!text-sm'
const MODELOS = (
  <>
    <LayoutTemplate size={16} aria-hidden className={ICONE} /> Modelos
  </>
)

export function Barra({ editor, onCopiar }: { editor: Editor; onCopiar: () => void }) {
  return (
    <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
      <div className="flex gap-1 max-sm:order-2 max-sm:justify-between sm:mr-auto">
        <Button variante="ghost" className={MIUDO} onClick={onCopiar}>
          <Copy size={16} aria-hidden className={ICONE} /> Copiar menu
        </Button>
        <Button variante="ghost" className={MIUDO} onClick={() => void editor.restaurar()}>
          <RotateCcw size={16} aria-hidden className={ICONE} /> Restaurar
        </Button>
        {/* Rendered while the menu templates load, so that nothing shifts. */}
        <Suspense
          fallback={
            <Button variante="ghost" className={MIUDO} aria-label="Modelos de menu">
              {MODELOS}
            </Button>
          }
        >
          <Modelos className={`btn btn-ghost ${MIUDO}`} botao={MODELOS} onAplicar={editor.aplicarModelo} />
        </Suspense>
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
