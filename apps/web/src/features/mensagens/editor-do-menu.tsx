import { CONTADOR } from '@balcao/contract/constants'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import { MODELOS_MENU } from '@balcao/contract/modelos'
import type { BotContext } from '@balcao/engine/context'
import clsx from 'clsx'
import { Copy, LayoutTemplate, Pencil, Plus, RotateCcw } from 'lucide-react'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { useUsuario } from '#shared/session.tsx'
import { Button } from '#shared/ui/button.tsx'
import { Confirmar } from '#shared/ui/confirmar.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { EditorDeTexto } from './editor-de-texto.tsx'
import { ListaDeOpcoes } from './lista-de-opcoes.tsx'
import { fecharRascunho } from './rascunho.ts'
import { useEditor } from './use-editor.ts'

const MensagensAutomaticas = lazy(async () => ({
  default: (await import('./mensagens-automaticas.tsx')).MensagensAutomaticas,
}))
const Previa = lazy(async () => ({ default: (await import('./previa.tsx')).Previa }))

export interface EditorDoMenuProps {
  readonly config: ConfigVersionada
  readonly recarregar: () => Promise<unknown>
}

export function EditorDoMenu({ config, recarregar }: EditorDoMenuProps) {
  const usuario = useUsuario()
  const editor = useEditor(config, recarregar)
  const { rascunho, editando, mudar } = editor
  const [destaque, setDestaque] = useState<string | null>(null)
  const [lado, setLado] = useState<'editar' | 'simular'>('editar')
  const guarda = useUnsavedGuard(editor.alterado)
  useHotkeys({ '$mod+s': () => void editor.salvar() })

  const empresa = usuario.empresa === '' ? usuario.nome : usuario.empresa
  const contexto = useMemo<BotContext>(
    () => ({
      config: { ...config, menu: fecharRascunho(rascunho) },
      empresa,
      produtos: [],
      iaDisponivel: config.ia.ativa && config.ia.apiKey !== '',
    }),
    [config, rascunho, empresa],
  )

  const copiar = async (): Promise<void> => {
    try {
      const { renderMenu } = await import('@balcao/engine/rules/opcoes')
      await navigator.clipboard.writeText(renderMenu({ menu: fecharRascunho(rascunho) }))
      avisar.sucesso('Menu copiado!')
    } catch {
      avisar.erro('O navegador não deixou copiar o menu')
    }
  }

  return (
    <>
      <h1 className="sr-only">Mensagens e menus</h1>
      <Segmentos lado={lado} onMudar={setLado} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className={clsx('grid min-w-0 gap-5', lado === 'simular' && 'hidden lg:grid')}>
          <div className="flex flex-wrap items-center gap-2">
            <Button variante="ghost" onClick={() => void copiar()}>
              <Copy size={16} aria-hidden /> Copiar menu
            </Button>
            <Button variante="ghost" onClick={() => void editor.restaurar()}>
              <RotateCcw size={16} aria-hidden /> Restaurar
            </Button>
            <Menu
              rotulo="Modelos de menu"
              className="btn btn-ghost"
              botao={
                <>
                  <LayoutTemplate size={16} aria-hidden /> Modelos
                </>
              }
              itens={MODELOS_MENU.map(({ id, nome }) => ({ rotulo: nome, fazer: () => editor.aplicarModelo(id) }))}
            />
            <span className="ml-auto flex gap-2">
              {editando ? (
                <>
                  <Button onClick={editor.cancelar}>Cancelar</Button>
                  <Button variante="primary" ocupado={editor.salvando} onClick={() => void editor.salvar()}>
                    {editor.salvando ? 'Salvando…' : 'Salvar'}
                  </Button>
                </>
              ) : (
                <Button variante="primary" onClick={editor.editar}>
                  <Pencil size={16} aria-hidden /> Editar
                </Button>
              )}
            </span>
          </div>

          <Secao titulo="Texto do menu principal" aberta>
            <EditorDeTexto
              rotulo="Texto do menu"
              valor={rascunho.menuPrincipal}
              contador={CONTADOR.menuPrincipal}
              editando={editando}
              linhas={5}
              comEmojis
              dica="Use *negrito*, _itálico_ e ~riscado~. As opções entram sozinhas no fim do texto."
              onMudar={(menuPrincipal) => mudar((atual) => ({ ...atual, menuPrincipal }))}
            />
          </Secao>

          <Secao titulo="Opções do menu" aberta>
            <ListaDeOpcoes
              editor={editor}
              setores={config.atendimento.setores}
              destaque={destaque}
              onDestacar={setDestaque}
            />
          </Secao>

          <Secao titulo="Mensagens automáticas">
            <Suspense>
              <MensagensAutomaticas
                menu={rascunho}
                editando={editando}
                onMudar={(campos) => mudar((atual) => ({ ...atual, ...campos }))}
              />
            </Suspense>
          </Secao>
          <SaveBar
            alterado={editor.alterado}
            salvando={editor.salvando}
            onDescartar={editor.cancelar}
            onSalvar={() => void editor.salvar()}
          />
        </div>

        <aside
          className={clsx('min-w-0 lg:sticky lg:top-20', lado === 'editar' && 'hidden lg:block')}
          aria-label="Prévia no celular"
        >
          <Suspense fallback={<Skeleton className="h-[36rem] w-full" />}>
            <Previa contexto={contexto} destaque={destaque} onDestacar={setDestaque} />
          </Suspense>
          <p className="mx-auto mt-3 max-w-xs text-center text-sm text-muted">
            {editando
              ? 'A prévia já usa o que você está editando, antes de salvar.'
              : 'Converse como um cliente: é o bot de verdade.'}
          </p>
        </aside>
      </div>

      <Confirmar
        aberto={guarda.perguntando}
        titulo="Sair sem salvar?"
        confirmar="Sair sem salvar"
        voltar="Continuar editando"
        onConfirmar={guarda.sair}
        onFechar={guarda.ficar}
      >
        As alterações do menu ainda não foram salvas e serão perdidas.
      </Confirmar>
      <Confirmar
        aberto={editor.conflito}
        titulo="A configuração mudou em outra janela"
        confirmar="Recarregar e perder minhas alterações"
        voltar="Continuar editando"
        onConfirmar={editor.aceitarServidor}
        onFechar={editor.fecharConflito}
      >
        Alguém salvou a configuração depois que você começou a editar. Para não apagar o que foi salvo, recarregue antes
        de continuar.
      </Confirmar>
    </>
  )
}

function Segmentos({ lado, onMudar }: { lado: 'editar' | 'simular'; onMudar: (lado: 'editar' | 'simular') => void }) {
  return (
    <div
      role="group"
      aria-label="O que mostrar"
      className="mb-4 grid grid-cols-2 gap-1 rounded-xl bg-sunken p-1 lg:hidden"
    >
      {(['editar', 'simular'] as const).map((valor) => (
        <button
          key={valor}
          type="button"
          aria-pressed={lado === valor}
          onClick={() => onMudar(valor)}
          className={clsx(
            'min-h-10 rounded-lg font-semibold',
            lado === valor ? 'bg-surface shadow-card' : 'text-muted',
          )}
        >
          {valor === 'editar' ? 'Menu e mensagens' : 'Simular'}
        </button>
      ))}
    </div>
  )
}

function Secao({ titulo, aberta = false, children }: { titulo: string; aberta?: boolean; children: ReactNode }) {
  return (
    <details open={aberta} className="card group">
      <summary className="flex items-center justify-between gap-2 rounded-card px-4 py-4 sm:px-5">
        <h2 className="text-lg font-bold">{titulo}</h2>
        <Plus size={18} aria-hidden className="text-muted transition-transform group-open:rotate-45" />
      </summary>
      <div className="px-4 pb-5 sm:px-5">{children}</div>
    </details>
  )
}
