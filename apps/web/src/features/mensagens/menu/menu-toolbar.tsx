import { Copy, LayoutTemplate, Pencil, RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#shared/ui/button.tsx'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'

const MenuTemplates = lazy(async () => ({ default: (await import('./menu-templates.tsx')).MenuTemplates }))

const ICON_CLASS = 'hidden flex-none min-[400px]:block'
const SMALL_CLASS = 'max-sm:!px-2 max-[400px]:!text-sm'
const TEMPLATES_LABEL = (
  <>
    <LayoutTemplate size={16} aria-hidden className={ICON_CLASS} /> Modelos
  </>
)

export function MenuToolbar({ editor, onCopy }: { editor: MenuEditorState; onCopy: () => void }) {
  return (
    <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
      <div className="flex gap-1 max-sm:order-2 max-sm:justify-between sm:mr-auto">
        <Button variant="ghost" className={SMALL_CLASS} onClick={onCopy}>
          <Copy size={16} aria-hidden className={ICON_CLASS} /> Copiar menu
        </Button>
        <Button variant="ghost" className={SMALL_CLASS} onClick={() => void editor.restore()}>
          <RotateCcw size={16} aria-hidden className={ICON_CLASS} /> Restaurar
        </Button>
        {/* Rendered while the menu templates load, so that nothing shifts. */}
        <Suspense
          fallback={
            <Button variant="ghost" className={SMALL_CLASS} aria-label="Modelos de menu">
              {TEMPLATES_LABEL}
            </Button>
          }
        >
          <MenuTemplates
            className={`btn btn-ghost ${SMALL_CLASS}`}
            button={TEMPLATES_LABEL}
            onApply={editor.applyTemplate}
          />
        </Suspense>
      </div>
      <div className="flex gap-2 max-sm:*:min-h-11 max-sm:*:flex-1">
        {editor.editing ? (
          <>
            <Button onClick={editor.cancel} disabled={editor.saving}>
              Cancelar
            </Button>
            <Button variant="primary" busy={editor.saving} onClick={() => void editor.save()}>
              {editor.saving ? 'Salvando…' : 'Salvar'}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={editor.edit}>
            <Pencil size={16} aria-hidden /> Editar
          </Button>
        )}
      </div>
    </div>
  )
}
