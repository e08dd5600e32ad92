import { CONTADOR } from '@balcao/contract/constants'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import type { BotContext } from '@balcao/engine/context'
import clsx from 'clsx'
import { lazy, Suspense, useMemo, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { useUsuario } from '#shared/session.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { MenuToolbar } from './menu/menu-toolbar.tsx'
import { TextEditor } from './textos/text-editor.tsx'
import { OpcaoList } from './menu/opcao-list.tsx'
import { closeMenuDraft, type MenuDraft } from './menu/menu-draft.ts'
import { Section } from './section.tsx'
import { type EditorSide, SideSwitch } from './side-switch.tsx'
import { type MenuEditorState, useMenuEditor } from './use-menu-editor.ts'

const AutomaticMensagens = lazy(async () => ({
  default: (await import('./textos/automatic-mensagens.tsx')).AutomaticMensagens,
}))
const AccountHorario = lazy(async () => ({
  default: (await import('#features/mensagens/horario/conta-horario.tsx')).ContaHorario,
}))
const EditorQuestions = lazy(async () => ({ default: (await import('./editor-questions.tsx')).EditorQuestions }))
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

export interface MenuEditorProps {
  readonly config: VersionedConfig
  readonly reload: () => Promise<unknown>
}

export function MenuEditor({ config, reload }: MenuEditorProps) {
  const editor = useMenuEditor(config, reload)
  const [destaque, setDestaque] = useState<string | null>(null)
  const [lado, setLado] = useState<EditorSide>('editar')
  const guard = useUnsavedGuard(editor.alterado)
  const contexto = usePreviewContext(config, editor)
  useHotkeys({ '$mod+s': () => void editor.salvar() })
  return (
    <>
      <SideSwitch lado={lado} onMudar={setLado} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className={clsx('grid min-w-0 gap-4 sm:gap-5', lado === 'simular' && 'hidden lg:grid')}>
          <MenuToolbar editor={editor} onCopiar={() => void copyMenu(editor.rascunho)} />
          <Sections editor={editor} config={config} highlighted={destaque} onHighlight={setDestaque} />
          <SaveBar
            changed={editor.alterado}
            saving={editor.salvando}
            onDiscard={editor.cancelar}
            onSave={() => void editor.salvar()}
          />
        </div>
        <aside
          className={clsx('min-w-0 lg:sticky lg:top-20', lado === 'editar' && 'hidden lg:block')}
          aria-label="Prévia no celular"
        >
          <Suspense fallback={<Skeleton className="h-[36rem] w-full" />}>
            <MenuPreview context={contexto} highlighted={destaque} onHighlight={setDestaque} />
          </Suspense>
          <p className="mx-auto mt-3 max-w-xs text-center text-sm text-balance text-muted">
            {editor.editando
              ? 'A prévia já usa o que você está editando, antes de salvar.'
              : 'Converse como um cliente: é o bot de verdade.'}
          </p>
        </aside>
      </div>
      <Suspense>
        <EditorQuestions editor={editor} guarda={guard} />
      </Suspense>
    </>
  )
}

function usePreviewContext(config: VersionedConfig, { rascunho, horario }: MenuEditorState): BotContext {
  const usuario = useUsuario()
  const empresa = usuario.empresa === '' ? usuario.nome : usuario.empresa
  return useMemo(
    () => ({
      config: { ...config, menu: closeMenuDraft(rascunho), atendimento: { ...config.atendimento, horario } },
      empresa,
      produtos: [],
      iaAvailable: config.ia.ativa && config.ia.apiKey !== '',
    }),
    [config, rascunho, horario, empresa],
  )
}

interface SectionsProps {
  readonly editor: MenuEditorState
  readonly config: VersionedConfig
  readonly highlighted: string | null
  readonly onHighlight: (numero: string | null) => void
}

function Sections({ editor, config, highlighted, onHighlight }: SectionsProps) {
  const { rascunho, editando, mudar } = editor
  const count = rascunho.opcoes.length
  return (
    <>
      <Section title="Texto do menu principal" summary="" open>
        <TextEditor
          label="Texto do menu"
          value={rascunho.menuPrincipal}
          counter={CONTADOR.menuPrincipal}
          editing={editando}
          rows={4}
          withEmojis
          hint="Use *negrito*, _itálico_ e ~riscado~. As opções entram sozinhas no fim do texto."
          onChange={(menuPrincipal) => mudar((current) => ({ ...current, menuPrincipal }))}
        />
      </Section>
      <Section title="Opções do menu" summary={count === 1 ? '1 opção' : `${count} opções`} open>
        <OpcaoList
          editor={editor}
          setores={config.atendimento.setores}
          iaActive={config.ia.ativa}
          highlighted={highlighted}
          onHighlight={onHighlight}
        />
      </Section>
      <Section id="horario" title="Horário de atendimento" summary="e feriados">
        <Suspense>
          <AccountHorario editor={editor} guardado={config.atendimento.horario} />
        </Suspense>
      </Section>
      <Section title="Mensagens automáticas" summary="6 mensagens">
        <Suspense>
          <AutomaticMensagens
            menu={rascunho}
            editing={editando}
            onChange={(fields) => mudar((current) => ({ ...current, ...fields }))}
          />
        </Suspense>
      </Section>
    </>
  )
}
