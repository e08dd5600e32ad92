import type { Midia } from '@balcao/contract/entities/mensagem'
import { digitosDoTelefone } from '#bot/endereco.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { ArquivoDoFormulario } from '#http/formulario.ts'
import { conferirArquivo, descartarArquivo, guardarRecebido } from '#modules/arquivos/index.ts'
import type { MensagemDoFormulario } from './ler-formulario.ts'
import { isRecebida } from './repository.ts'

type ReceberDeps = Pick<Deps, 'simulador' | 'ids' | 'clock' | 'db' | 'files' | 'realtime'>

/** Plays the messaging service: passes the message to the bot and returns its id once it is stored. */
export async function receberMensagem(
  deps: ReceberDeps,
  contaId: string,
  entrada: MensagemDoFormulario,
): Promise<{ id: string }> {
  const { arquivo, deMim, grupo, ...resto } = entrada
  const id = entrada.id ?? deps.ids.uuid()
  const telefone = digitosDoTelefone(entrada.telefone)
  const midia = arquivo === undefined ? undefined : await receberArquivo(deps, contaId, { ...entrada, id, arquivo })
  try {
    await deps.simulador.receber(contaId, {
      ...{ id, telefone, nome: resto.nome, texto: resto.texto },
      endereco: telefone,
      enviadaEm: deps.clock.now(),
      ...(midia === undefined ? {} : { midia }),
      ...(deMim === undefined ? {} : { deMim }),
      ...(grupo === undefined ? {} : { grupo }),
    })
  } catch (error) {
    // After another error it is unknown whether the mensagem was stored, so the sweep decides.
    if (midia !== undefined && error instanceof AppError) await descartarArquivo(deps, contaId, midia)
    throw error
  }
  return { id }
}

interface ComArquivo {
  readonly id: string
  readonly grupo?: boolean | undefined
  readonly arquivo: ArquivoDoFormulario
}

/** A repeated message and a group message do not store the file. */
async function receberArquivo(
  deps: ReceberDeps,
  contaId: string,
  { id, grupo, arquivo }: ComArquivo,
): Promise<Midia | undefined> {
  if (arquivo.campo === 'imagem') exigirImagem(arquivo)
  const tipo = conferirArquivo(arquivo)
  const repetida = await deps.db.read(contaId, (tx) => isRecebida(tx, contaId, id))
  return grupo === true || repetida ? { tipo: tipo.midia } : guardarRecebido(deps, contaId, arquivo)
}

function exigirImagem(arquivo: ArquivoDoFormulario): void {
  try {
    if (conferirArquivo(arquivo).midia === 'imagem') return
  } catch (error) {
    if (!(error instanceof AppError) || error.codigo !== 'arquivoInvalido') throw error
  }
  throw new AppError('imagemInvalida')
}
