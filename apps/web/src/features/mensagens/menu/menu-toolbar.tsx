import { Copy, LayoutTemplate, Pencil, RotateCcw } from 'lucide-react'
import { lazy, type Ref, Suspense } from 'react'
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

interface MenuToolbarProps {
  readonly editor: MenuEditorState
  readonly ref: Ref<HTMLDivElement>
  /** The bar at the bottom has the same buttons. */
  readonly replaced: boolean
  /** Absent while only the horario is edited: a line may have the menu of the account. */
  readonly onCopy: (() => void) | undefined
}

export function MenuToolbar({ editor, ref, replaced, onCopy }: MenuToolbarProps) {
  return (
    <div ref={ref} className="flex flex-col gap-2 sm:flex-row sm:items-center">
      {onCopy === undefined ? <span className="mr-auto" /> : <MenuActs editor={editor} onCopy={onCopy} />}
      <div
        className="flex gap-2 max-sm:*:min-h-11 max-sm:*:flex-1"
        style={replaced ? { visibility: 'hidden' } : undefined}
      >
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

function MenuActs({ editor, onCopy }: { readonly editor: MenuEditorState; readonly onCopy: () => void }) {
  return (
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
  )
}
