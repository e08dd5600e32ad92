import type { Produto } from '@balcao/contract/entities/produto'
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Confirmar } from '#shared/ui/confirmar.tsx'
import { ErrorState } from '#shared/ui/states.tsx'
import { Barra, TITULO } from './barra.tsx'
import { filtrar, SEM_FILTRO } from './filtrar.ts'
import { Grade } from './grade.tsx'
import { Numeros } from './numeros.tsx'
import { type Catalogo, useProdutos } from './produtos.ts'
import { useAcoes } from './use-acoes.ts'
import { useOrdem } from './use-ordem.ts'
import { Carregando, NadaComEsteFiltro, SemProdutos } from './vazios.tsx'

const Formulario = lazy(async () => ({ default: (await import('./formulario.tsx')).Formulario }))
const ComoAparece = lazy(async () => ({ default: (await import('./como-aparece.tsx')).ComoAparece }))

const ERRO = 'Erro ao carregar produtos'

export function LojaTab() {
  const { data, error, isFetching, refetch } = useProdutos()
  if (data !== undefined) return <Loja produtos={data} />
  if (error === null || isFetching) return <Carregando />
  const mensagem = error.message === ERRO ? ERRO : `${ERRO}: ${error.message}`
  return <ErrorState mensagem={mensagem} onTentar={() => void refetch()} />
}

type Aberto =
  | { readonly tipo: 'novo'; readonly exemplo: boolean }
  | { readonly tipo: 'editar' | 'ver' | 'excluir'; readonly produto: Produto }

interface ExclusaoProps {
  readonly produto: Produto | null
  readonly onExcluir: (produto: Produto) => Promise<void>
  readonly onFechar: () => void
}

function Exclusao({ produto, onExcluir, onFechar }: ExclusaoProps) {
  const apagou = useRef(false)
  const confirmar = async (): Promise<void> => {
    if (produto === null) return
    await onExcluir(produto)
    apagou.current = true
  }
  // The button that opened the dialog is deleted with its card. Focus moves only after closing, because the page is
  // inert before.
  useEffect(() => {
    if (produto !== null || !apagou.current) return
    apagou.current = false
    document.getElementById(TITULO)?.focus()
  }, [produto])
  return (
    <Confirmar
      aberto={produto !== null}
      titulo={`Excluir ${produto?.nome ?? ''}?`}
      confirmar="Excluir produto"
      onConfirmar={confirmar}
      onFechar={onFechar}
    >
      Ele sai da loja na hora, e não dá para desfazer. Para só escondê-lo dos clientes, desative-o.
    </Confirmar>
  )
}

function Loja({ produtos }: { produtos: Catalogo }) {
  const { alternar, excluir } = useAcoes()
  const { mover, anuncio } = useOrdem()
  const [filtro, setFiltro] = useState(SEM_FILTRO)
  const [aberto, setAberto] = useState<Aberto | null>(null)
  const visiveis = filtrar(produtos, useDeferredValue(filtro))
  const fechar = (): void => setAberto(null)
  const abrir = (tipo: 'editar' | 'ver' | 'excluir') => (produto: Produto) => setAberto({ tipo, produto })
  const novo = (exemplo: boolean) => (): void => setAberto({ tipo: 'novo', exemplo })
  return (
    <div className="grid gap-6">
      <Numeros produtos={produtos} />
      <section aria-label="Catálogo" className="grid gap-4">
        <Barra produtos={produtos} filtro={filtro} onFiltrar={setFiltro} onNovo={novo(false)} />
        {produtos.length === 0 ? (
          <SemProdutos onNovo={novo(false)} onExemplo={novo(true)} />
        ) : visiveis.length === 0 ? (
          <NadaComEsteFiltro onLimpar={() => setFiltro(SEM_FILTRO)} />
        ) : (
          <Grade
            produtos={visiveis}
            onMover={({ id }, alvo) => mover(id, produtos.indexOf(alvo))}
            onAlternar={(produto, ativo) => void alternar(produto, ativo)}
            onEditar={abrir('editar')}
            onVer={abrir('ver')}
            onExcluir={abrir('excluir')}
          />
        )}
        <p role="status" className="sr-only">
          {anuncio}
        </p>
      </section>
      <Suspense>
        {aberto?.tipo === 'novo' && (
          <Formulario produto={null} exemplo={aberto.exemplo} catalogo={produtos} onFechar={fechar} />
        )}
        {aberto?.tipo === 'editar' && (
          <Formulario produto={aberto.produto} exemplo={false} catalogo={produtos} onFechar={fechar} />
        )}
        {aberto?.tipo === 'ver' && <ComoAparece produto={aberto.produto} catalogo={produtos} onFechar={fechar} />}
      </Suspense>
      <Exclusao produto={aberto?.tipo === 'excluir' ? aberto.produto : null} onExcluir={excluir} onFechar={fechar} />
    </div>
  )
}
