import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { useState } from 'react'
import { ApiError } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { juntarRespostas } from './juntar-respostas.ts'
import {
  abrirRascunho,
  conferirRespostas,
  devolver,
  type Faltas,
  faltasDoServidor,
  fecharRascunho,
  igualA,
  mover,
  type Rascunho,
  seguir,
} from './rascunho-de-respostas.ts'
import { type RespostasLidas, useServidorDeRespostas } from './use-respostas.ts'

export const nomeDoCampo = (chave: string, campo: 'atalho' | 'texto'): string => `${campo}-${chave}`

/** After the next frame: the line may not be mounted or moved yet. */
function focar(chave: string, campo: 'atalho' | 'texto'): void {
  requestAnimationFrame(() => document.getElementsByName(nomeDoCampo(chave, campo))[0]?.focus())
}

const SEM_FALTAS: Faltas = {}
const SALVAS_JUNTO = 'Respostas rápidas salvas, junto com o que outra pessoa salvou há pouco.'
const CONFIRA = 'Outra pessoa também mudou estas respostas. Confira o que está marcado e salve de novo.'

/** Draft of the list with its actions. Server updates replace it only while it is unchanged. */
export function useEditorDeRespostas(lidas: RespostasLidas) {
  const { gravar, lerDeNovo } = useServidorDeRespostas()
  const [base, setBase] = useState(lidas)
  const [rascunho, setRascunho] = useState<Rascunho>(() => abrirRascunho(lidas.respostas))
  const [faltas, setFaltas] = useState<Faltas>(SEM_FALTAS)
  const [salvando, setSalvando] = useState(false)
  const [anuncio, setAnuncio] = useState('')
  const alterado = !igualA(rascunho, base.respostas)
  if (!alterado && !salvando && base !== lidas) {
    setBase(lidas)
    setRascunho(abrirRascunho(lidas.respostas, rascunho))
  }
  const saida = useUnsavedGuard(alterado)

  const recusar = (novas: Faltas, escrito = rascunho): boolean => {
    setFaltas(novas)
    const primeira = escrito.find(({ chave }) => novas[chave] !== undefined)
    if (primeira === undefined) return false
    focar(primeira.chave, novas[primeira.chave]?.atalho === undefined ? 'texto' : 'atalho')
    return true
  }
  /** On a conflict it merges local edits into the new list and saves again, unless both changed the same line. */
  const enviar = async (escrito: Rascunho, sobre: RespostasLidas, juntou = false): Promise<void> => {
    try {
      const salvas = await gravar(fecharRascunho(escrito), sobre.versao)
      setBase(salvas)
      setRascunho((atual) => seguir(atual, escrito, salvas.respostas))
      avisar.sucesso(juntou ? SALVAS_JUNTO : 'Respostas rápidas salvas com sucesso!')
    } catch (erro) {
      if (!(erro instanceof ApiError) || erro.codigo !== 'conflito') throw erro
      const agora = await lerDeNovo()
      if (agora.versao === sobre.versao) throw erro
      const juntar = (um: Rascunho) => juntarRespostas(um, sobre.respostas, agora.respostas)
      const juntada = juntar(escrito)
      setBase(agora)
      setRascunho((atual) => (atual === escrito ? juntada.rascunho : juntar(atual).rascunho))
      if (!recusar({ ...conferirRespostas(juntada.rascunho), ...juntada.faltas }, juntada.rascunho)) {
        return await enviar(juntada.rascunho, agora, true)
      }
      avisar.erro(CONFIRA)
    }
  }
  const salvar = async (): Promise<void> => {
    if (salvando || !alterado || recusar(conferirRespostas(rascunho))) return
    setSalvando(true)
    try {
      await enviar(rascunho, base)
    } catch (erro) {
      if (!(erro instanceof ApiError)) throw erro
      if (!recusar(faltasDoServidor(rascunho, erro.dados.detalhes ?? []))) avisar.erro(erro.message)
    } finally {
      setSalvando(false)
    }
  }
  useHotkeys({ '$mod+s': () => void salvar() })

  return {
    rascunho,
    faltas,
    alterado,
    salvando,
    saida,
    anuncio,
    salvar,
    descartar: () => {
      setRascunho(abrirRascunho(base.respostas))
      setFaltas(SEM_FALTAS)
    },
    adicionar: () => {
      const chave = crypto.randomUUID()
      setRascunho([...rascunho, { chave, atalho: '', texto: '', antes: null }])
      focar(chave, 'atalho')
    },
    mudar: (chave: string, campos: Partial<RespostaRapida>) => {
      setRascunho(rascunho.map((uma) => (uma.chave === chave ? { ...uma, ...campos } : uma)))
      const { [chave]: _resolvida, ...outras } = faltas
      setFaltas(outras)
    },
    mover: (chave: string, passo: -1 | 1) => {
      const movido = mover(rascunho, chave, passo)
      setRascunho(movido)
      const posicao = movido.findIndex((uma) => uma.chave === chave)
      setAnuncio(`/${movido[posicao]?.atalho ?? ''} na posição ${posicao + 1} de ${movido.length}`)
    },
    remover: (chave: string) => {
      const indice = rascunho.findIndex((uma) => uma.chave === chave)
      const linha = rascunho[indice]
      if (linha === undefined) return
      setRascunho(rascunho.toSpliced(indice, 1))
      const vizinha = rascunho[indice + 1] ?? rascunho[indice - 1]
      if (vizinha !== undefined) focar(vizinha.chave, 'atalho')
      const nome = linha.atalho === '' ? 'Resposta' : `/${linha.atalho}`
      avisar.sucesso(`${nome} removida. Salve para valer.`, {
        acao: { rotulo: 'Desfazer', fazer: () => setRascunho((atual) => devolver(atual, linha, indice)) },
      })
    },
  }
}
