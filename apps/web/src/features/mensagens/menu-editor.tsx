import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, Suspense, lazy, useMemo, useState } from 'react'
import { CONTADOR } from '@balcao/contract/constants'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { isProvedorReady } from '@balcao/contract/presets/provedores-ia'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { useGapDraft } from '#shared/ia/gap-draft.ts'
import { useOwnsIa, useUsuario } from '#shared/session.tsx'
import { SaveBar, useOutOfView } from '#shared/ui/save-bar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { TextEditor } from './textos/text-editor.tsx'
import { MenuToolbar } from './menu/menu-toolbar.tsx'
import { OpcaoList } from './menu/opcao-list.tsx'
import { type MenuDraft, closeMenuDraft } from './menu/menu-draft.ts'
import type { MenuPreviewProps } from './menu-preview.tsx'
import { type LineMenuEdit, type MenuEditorState, useMenuEditor } from './use-menu-editor.ts'

const AutomaticMensagens = lazy(async () => ({
  default: (await import('./textos/automatic-mensagens.tsx')).AutomaticMensagens,
}))
const ContaHorario = lazy(async () => ({
  default: (await import('./horario/conta-horario.tsx')).ContaHorario,
}))
const MenuAvisos = lazy(async () => ({ default: (await import('./menu/menu-avisos.tsx')).MenuAvisos }))
const PathCostsList = lazy(async () => ({ default: (await import('./menu/path-costs-list.tsx')).PathCostsList }))
const EditorQuestions = lazy(async () => ({ default: (await import('./editor-questions.tsx')).EditorQuestions }))
const EnsaioCard = lazy(async () => ({ default: (await import('#shared/ensaio/ensaio-card.tsx')).EnsaioCard }))
const MenuPreview = lazy(async () => ({ default: (await import('./menu-preview.tsx')).MenuPreview }))

async function copyMenu(draft: MenuDraft): Promise<void> {
  try {
    const { renderMenu } = await import('@balcao/engine/rules/opcoes')
    await navigator.clipboard.writeText(renderMenu({ menu: closeMenuDraft(draft) }))
    notify.sucesso('Menu copiado!')
  } catch {
    notify.erro('O navegador não deixou copiar o menu')
  }
}

const BAR_WORDS = { discard: 'Cancelar', save: 'Salvar' }

const FRAMES_MAX = 300

/** The fields of the options load with the first edit. */
function focusLastReply(frames = FRAMES_MAX): void {
  requestAnimationFrame(() => {
    const reply = [...document.querySelectorAll<HTMLTextAreaElement>('#opcoes textarea')].at(-1)
    if (reply === undefined && frames > 0) return focusLastReply(frames - 1)
    reply?.focus()
    reply?.scrollIntoView({ block: 'center' })
  })
}

export interface MenuEditorProps {
  readonly config: VersionedConfig
  readonly reload: () => Promise<unknown>
  /** The edited line. Absent: the account. */
  readonly line?: LineMenuEdit
  /** Above the editor: the choice of the line. It must not change while there are edits. */
  readonly head?: ((changed: boolean) => ReactNode) | undefined
}

export function MenuEditor({ config, reload, line, head }: MenuEditorProps) {
  const editor = useMenuEditor(config, reload, line)
  const [highlighted, setHighlighted] = useState<string | null>(null)
  const [side, setSide] = useState<EditorSide>('editar')
  const [toolbar, setToolbar] = useState<HTMLDivElement | null>(null)
  const replaced = useOutOfView(toolbar) && editor.changed
  const guard = useUnsavedGuard(editor.changed)
  const context = usePreviewContext(config, editor)
  useHotkeys({ '$mod+s': () => void editor.save() })
  useGapDraft('opcao', (gap) => {
    editor.answerGap(gap)
    focusLastReply()
  })
  return (
    <>
      <SideSwitch side={side} onChange={setSide} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className={clsx('grid min-w-0 gap-4 sm:gap-5', side === 'simular' && 'hidden lg:grid')}>
          {head?.(editor.changed)}
          {(editor.parts.menu || editor.parts.horario) && (
            <MenuToolbar
              ref={setToolbar}
              replaced={replaced}
              editor={editor}
              onCopy={editor.parts.menu ? () => void copyMenu(editor.draft) : undefined}
            />
          )}
          <Sections {...{ editor, config, context, highlighted }} onHighlight={setHighlighted} />
          {line === undefined && editor.changed && <MenuEnsaio config={context.config} />}
          <SaveBar
            changed={replaced}
            saving={editor.saving}
            onDiscard={editor.cancel}
            onSave={() => void editor.save()}
            words={BAR_WORDS}
          />
        </div>
        <aside
          className={clsx('min-w-0 lg:sticky lg:top-20', side === 'editar' && 'hidden lg:block')}
          aria-label="Prévia no celular"
        >
          <Suspense fallback={<Skeleton className="h-[36rem] w-full" />}>
            <MenuPreview context={context} highlighted={highlighted} onHighlight={setHighlighted} />
          </Suspense>
          <p className="mx-auto mt-3 max-w-xs text-center text-sm text-balance text-muted">
            {editor.editing
              ? 'A prévia já usa o que você está editando, antes de salvar.'
              : 'Converse como um cliente: é o bot de verdade.'}
          </p>
        </aside>
      </div>
      <Suspense>
        <EditorQuestions editor={editor} guard={guard} />
      </Suspense>
    </>
  )
}

function usePreviewContext(config: VersionedConfig, { draft, horario }: MenuEditorState): MenuPreviewProps['context'] {
  const usuario = useUsuario()
  const empresa = usuario.empresa === '' ? usuario.nome : usuario.empresa
  return useMemo(
    () => ({
      config: { ...config, menu: closeMenuDraft(draft), atendimento: { ...config.atendimento, horario } },
      empresa,
      iaAvailable: config.ia.ativa && isProvedorReady(config),
    }),
    [config, draft, horario, empresa],
  )
}

/** Measures the edits on conversas that happened, such as an option that answers a frequent question. */
function MenuEnsaio({ config }: { readonly config: MenuPreviewProps['context']['config'] }) {
  if (!useOwnsIa()) return null
  return (
    <Suspense>
      <EnsaioCard config={config} changed />
    </Suspense>
  )
}

interface SectionsProps {
  readonly editor: MenuEditorState
  readonly config: VersionedConfig
  readonly context: MenuPreviewProps['context']
  readonly highlighted: string | null
  readonly onHighlight: (numero: string | null) => void
}

function Sections(props: SectionsProps) {
  const { editor, config } = props
  const { draft, editing, change, parts } = editor
  return (
    <>
      {parts.menu && <MenuSections {...props} />}
      {parts.horario && (
        <Section id="horario" title="Horário de atendimento" summary="e feriados" open={!parts.menu}>
          <Suspense>
            <ContaHorario editor={editor} stored={config.atendimento.horario} />
          </Suspense>
        </Section>
      )}
      {parts.menu && (
        <Section id="automaticas" title="Mensagens automáticas" summary="6 mensagens">
          <Suspense>
            <AutomaticMensagens
              menu={draft}
              editing={editing}
              onChange={(fields) => change((current) => ({ ...current, ...fields }))}
            />
          </Suspense>
        </Section>
      )}
    </>
  )
}

function MenuSections({ editor, config, context, highlighted, onHighlight }: SectionsProps) {
  const { draft, editing, change } = editor
  const count = draft.opcoes.length
  return (
    <>
      <Section title="Texto do menu principal" summary="" open>
        <TextEditor
          label="Texto do menu"
          value={draft.menuPrincipal}
          counter={CONTADOR.menuPrincipal}
          editing={editing}
          rows={4}
          withEmojis
          hint="Use *negrito*, _itálico_ e ~riscado~. As opções entram sozinhas no fim do texto."
          onChange={(menuPrincipal) => change((current) => ({ ...current, menuPrincipal }))}
        />
        <Suspense>
          <MenuAvisos editor={editor} config={config} place="texto" />
        </Suspense>
      </Section>
      <Section id="opcoes" title="Opções do menu" summary={count === 1 ? '1 opção' : `${count} opções`} open>
        <OpcaoList
          editor={editor}
          setores={config.atendimento.setores}
          iaActive={config.ia.ativa}
          highlighted={highlighted}
          onHighlight={onHighlight}
        />
        <Suspense>
          <MenuAvisos editor={editor} config={config} place="opcoes" />
        </Suspense>
        <Suspense>
          <PathCostsList context={context} />
        </Suspense>
      </Section>
    </>
  )
}

interface SectionProps {
  readonly id?: string
  readonly title: string
  readonly summary: string
  readonly open?: boolean
  readonly children: ReactNode
}

function Section({ id, title, summary, open = false, children }: SectionProps) {
  return (
    <details id={id} open={open} className="card group">
      <summary className="flex items-center gap-3 rounded-card px-4 py-4 sm:px-5">
        <h2 className="mr-auto text-lg font-bold">{title}</h2>
        <span className="text-sm whitespace-nowrap text-muted max-[400px]:hidden">{summary}</span>
        <ChevronDown
          size={20}
          aria-hidden
          className="flex-none text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="px-4 pb-5 sm:px-5">{children}</div>
    </details>
  )
}

type EditorSide = 'editar' | 'simular'

function SideSwitch({ side, onChange }: { side: EditorSide; onChange: (side: EditorSide) => void }) {
  return (
    <div
      role="group"
      aria-label="O que mostrar"
      className="mb-4 grid grid-cols-2 gap-1 rounded-xl bg-sunken p-1 lg:hidden"
    >
      {(['editar', 'simular'] as const).map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={side === value}
          onClick={() => onChange(value)}
          className={clsx(
            'min-h-10 rounded-lg font-semibold',
            side === value ? 'bg-surface shadow-card' : 'text-muted',
          )}
        >
          {value === 'editar' ? 'Menu e mensagens' : 'Simular'}
        </button>
      ))}
    </div>
  )
}
