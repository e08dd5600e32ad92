import { digitosDoTelefone } from '#bot/endereco.ts'
import type { Deps } from '#deps.ts'
import type { MensagemDoFormulario } from './ler-formulario.ts'

/** Plays the service: hands the customer's message to the bot and answers its id once it is stored. */
export async function receberMensagem(
  { simulador, ids, clock }: Pick<Deps, 'simulador' | 'ids' | 'clock'>,
  contaId: string,
  entrada: MensagemDoFormulario,
): Promise<{ id: string }> {
  const id = entrada.id ?? ids.uuid()
  const telefone = digitosDoTelefone(entrada.telefone)
  await simulador.receber(contaId, {
    id,
    endereco: telefone,
    telefone,
    nome: entrada.nome,
    texto: entrada.texto,
    enviadaEm: clock.now(),
    ...(entrada.midia === undefined ? {} : { midia: entrada.midia }),
    ...(entrada.deMim === undefined ? {} : { deMim: entrada.deMim }),
    ...(entrada.grupo === undefined ? {} : { grupo: entrada.grupo }),
  })
  return { id }
}
