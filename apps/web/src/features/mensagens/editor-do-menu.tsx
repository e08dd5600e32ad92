import { CONTADOR } from '@balcao/contract/constants'
import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { BotContext } from '@balcao/engine/context'
import clsx from 'clsx'
import { lazy, Suspense, useMemo, useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { useUsuario } from '#shared/session.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { Barra } from './barra.tsx'
import { EditorDeTexto } from './editor-de-texto.tsx'
import { ListaDeOpcoes } from './lista-de-opcoes.tsx'
import { fecharRascunho, type Rascunho } from './rascunho.ts'
import { Secao } from './secao.tsx'
import { type Lado, Segmentos } from './segmentos.tsx'
import { type Editor, useEditor } from './use-editor.ts'

const MensagensAutomaticas = lazy(async () => ({
  default: (await import('./mensagens-automaticas.tsx')).MensagensAutomaticas,
}))
const Horario = lazy(async () => ({
  default: (await import('#features/mensagens/horario/horario-da-conta.tsx')).HorarioDaConta,
}))
const Perguntas = lazy(async () => ({ default: (await import('./perguntas.tsx')).Perguntas }))
const Previa = lazy(async () => ({ default: (await import('./previa.tsx')).Previa }))

async function copiar(rascunho: Rascunho): Promise<void> {
  try {
    const { renderMenu } = await import('@balcao/engine/rules/opcoes')
    await navigator.clipboard.writeText(renderMenu({ menu: fecharRascunho(rascunho) }))
    avisar.sucesso('Menu copiado!')
  } catch {
    avisar.erro('O navegador não deixou copiar o menu')
  }
}

export interface EditorDoMenuProps {
  readonly config: ConfigVersionada
  readonly recarregar: () => Promise<unknown>
}

export function EditorDoMenu({ config, recarregar }: EditorDoMenuProps) {
  const editor = useEditor(config, recarregar)
  const [destaque, setDestaque] = useState<string | null>(null)
  const [lado, setLado] = useState<Lado>('editar')
  const guarda = useUnsavedGuard(editor.alterado)
  const contexto = useContexto(config, editor)
  useHotkeys({ '$mod+s': () => void editor.salvar() })
  return (
    <>
      <Segmentos lado={lado} onMudar={setLado} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className={clsx('grid min-w-0 gap-4 sm:gap-5', lado === 'simular' && 'hidden lg:grid')}>
          <Barra editor={editor} onCopiar={() => void copiar(editor.rascunho)} />
          <Secoes editor={editor} config={config} destaque={destaque} onDestacar={setDestaque} />
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
          <p className="mx-auto mt-3 max-w-xs text-center text-sm text-balance text-muted">
            {editor.editando
              ? 'A prévia já usa o que você está editando, antes de salvar.'
              : 'Converse como um cliente: é o bot de verdade.'}
          </p>
        </aside>
      </div>
      <Suspense>
        <Perguntas editor={editor} guarda={guarda} />
      </Suspense>
    </>
  )
}

function useContexto(config: ConfigVersionada, { rascunho, horario }: Editor): BotContext {
  const usuario = useUsuario()
  const empresa = usuario.empresa === '' ? usuario.nome : usuario.empresa
  return useMemo(
    () => ({
      config: { ...config, menu: fecharRascunho(rascunho), atendimento: { ...config.atendimento, horario } },
      empresa,
      produtos: [],
      iaDisponivel: config.ia.ativa && config.ia.apiKey !== '',
    }),
    [config, rascunho, horario, empresa],
  )
}

interface SecoesProps {
  readonly editor: Editor
  readonly config: ConfigVersionada
  readonly destaque: string | null
  readonly onDestacar: (numero: string | null) => void
}

function Secoes({ editor, config, destaque, onDestacar }: SecoesProps) {
  const { rascunho, editando, mudar } = editor
  const quantas = rascunho.opcoes.length
  return (
    <>
      <Secao titulo="Texto do menu principal" resumo="" aberta>
        <EditorDeTexto
          rotulo="Texto do menu"
          valor={rascunho.menuPrincipal}
          contador={CONTADOR.menuPrincipal}
          editando={editando}
          linhas={4}
          comEmojis
          dica="Use *negrito*, _itálico_ e ~riscado~. As opções entram sozinhas no fim do texto."
          onMudar={(menuPrincipal) => mudar((atual) => ({ ...atual, menuPrincipal }))}
        />
      </Secao>
      <Secao titulo="Opções do menu" resumo={quantas === 1 ? '1 opção' : `${quantas} opções`} aberta>
        <ListaDeOpcoes
          editor={editor}
          setores={config.atendimento.setores}
          iaAtiva={config.ia.ativa}
          destaque={destaque}
          onDestacar={onDestacar}
        />
      </Secao>
      <Secao id="horario" titulo="Horário de atendimento" resumo="e feriados">
        <Suspense>
          <Horario editor={editor} guardado={config.atendimento.horario} />
        </Suspense>
      </Secao>
      <Secao titulo="Mensagens automáticas" resumo="6 mensagens">
        <Suspense>
          <MensagensAutomaticas
            menu={rascunho}
            editando={editando}
            onMudar={(campos) => mudar((atual) => ({ ...atual, ...campos }))}
          />
        </Suspense>
      </Secao>
    </>
  )
}
