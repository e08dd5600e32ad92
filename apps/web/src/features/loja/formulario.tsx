import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useSoltar } from '#shared/hooks/use-soltar.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Recado } from '#shared/ui/recado.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { CampoDaImagem } from './campo-da-imagem.tsx'
import { CamposDoProduto } from './campos-do-produto.tsx'
import { type OpcoesDoFormulario, useFormulario } from './use-formulario.ts'

const PreviaDaLoja = lazy(async () => ({ default: (await import('./previa-da-loja.tsx')).PreviaDaLoja }))

type Formulario = ReturnType<typeof useFormulario>

export function Formulario(opcoes: OpcoesDoFormulario) {
  const { produto, catalogo } = opcoes
  const formulario = useFormulario(opcoes)
  const largo = useMediaQuery('(min-width: 64rem)')
  const [vendo, setVendo] = useState(false)
  const previa = (
    <Suspense fallback={<Skeleton className="h-96 w-full rounded-[2.2rem]" />}>
      <PreviaDaLoja produto={formulario.rascunho} catalogo={catalogo} />
    </Suspense>
  )
  return (
    <>
      <Dialog
        aberto
        largura="xl"
        titulo={produto === null ? 'Novo produto' : 'Editar produto'}
        segurar={formulario.alterado || formulario.ocupado}
        onFechar={formulario.tentarFechar}
      >
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <Formular formulario={formulario} novo={produto === null}>
            {!largo && (
              <details className="rounded-xl border" onToggle={({ newState }) => setVendo(newState === 'open')}>
                <summary className="px-4 py-3 font-semibold">Ver como aparece no WhatsApp</summary>
                {vendo && <div className="p-3 pt-0">{previa}</div>}
              </details>
            )}
          </Formular>
          {largo && <div className="sticky top-5">{previa}</div>}
        </div>
      </Dialog>
      <SairSemSalvar guarda={formulario.pergunta}>O que você escreveu neste produto se perde.</SairSemSalvar>
    </>
  )
}

interface FormularProps {
  readonly formulario: Formulario
  readonly novo: boolean
  readonly children: ReactNode
}

function Formular({ formulario, novo, children }: FormularProps) {
  const { imagem, erros, ocupado, salvar, tentarFechar } = formulario
  const { sobre, soltar } = useSoltar(imagem.escolher)
  return (
    <form
      noValidate
      {...soltar}
      onSubmit={(evento) => {
        evento.preventDefault()
        void salvar()
      }}
      className="grid gap-4"
    >
      {erros.geral !== undefined && <Recado tom="erro" titulo={erros.geral} />}
      <CampoDaImagem imagem={imagem} solta={sobre} />
      <CamposDoProduto formulario={formulario} />
      {children}
      <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-2 border-t bg-surface px-5 py-3">
        <Button className="min-h-11" disabled={ocupado} onClick={tentarFechar}>
          Cancelar
        </Button>
        <Button type="submit" variante="primary" className="min-h-11" ocupado={ocupado}>
          {ocupado ? <Enviando formulario={formulario} /> : novo ? 'Criar produto' : 'Salvar'}
        </Button>
      </div>
    </form>
  )
}

function Enviando({ formulario: { imagem, enviado } }: { formulario: Formulario }) {
  if (imagem.arquivo === null || enviado === null || enviado >= 1) return <>Salvando…</>
  return <>Enviando imagem… {Math.round(enviado * 100)}%</>
}
