import { proto } from 'baileys'
import { describe, expect, it } from 'vitest'
import { lerConteudo } from '#conteudo.ts'

const lida = (mensagem: proto.IMessage) => lerConteudo(proto.Message.decode(proto.Message.encode(mensagem).finish()))

describe('what a message says', () => {
  it.each<[string, proto.IMessage, string]>([
    ['plain', { conversation: 'oi' }, 'oi'],
    ['with formatting or a link', { extendedTextMessage: { text: '*oi* https://a.test' } }, '*oi* https://a.test'],
    ['that disappears', { ephemeralMessage: { message: { conversation: 'oi' } } }, 'oi'],
    ['from another device', { deviceSentMessage: { message: { conversation: 'oi' } } }, 'oi'],
    ['picked from a list', { listResponseMessage: { title: 'Rosas' } }, 'Rosas'],
    ['a button', { buttonsResponseMessage: { selectedDisplayText: 'Sim' } }, 'Sim'],
  ])('%s', (_nome, mensagem, texto) => {
    expect(lida(mensagem)).toEqual({ tipo: 'texto', texto })
  })

  it('is a file with its caption, name, type and size', () => {
    expect(lida({ imageMessage: { caption: 'o vaso', mimetype: 'image/jpeg', fileLength: 1234 } })).toEqual({
      tipo: 'texto',
      texto: 'o vaso',
      midia: { tipo: 'imagem', mimeType: 'image/jpeg', tamanhoBytes: 1234 },
    })
    expect(lida({ documentMessage: { fileName: 'pedido.pdf', mimetype: 'application/pdf' } })).toMatchObject({
      texto: '',
      midia: { tipo: 'documento', nomeArquivo: 'pedido.pdf' },
    })
    expect(lida({ audioMessage: { mimetype: 'audio/ogg', ptt: true } })).toMatchObject({ midia: { tipo: 'audio' } })
    expect(lida({ stickerMessage: {} })).toMatchObject({ midia: { tipo: 'figurinha' } })
    expect(lida({ viewOnceMessageV2: { message: { videoMessage: {} } } })).toMatchObject({ midia: { tipo: 'video' } })
  })

  it('is a place on the map', () => {
    expect(lida({ locationMessage: { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Loja' } })).toEqual({
      tipo: 'texto',
      texto: 'Loja\nhttps://maps.google.com/?q=-23.5,-46.6',
      midia: { tipo: 'localizacao' },
    })
  })

  it('is a card with its numbers', () => {
    const vcard = 'BEGIN:VCARD\nFN:Rosa\nTEL;type=CELL;waid=5511999:+55 11 99900-0000\nEND:VCARD'
    expect(lida({ contactMessage: { displayName: 'Rosa', vcard } })).toMatchObject({
      texto: 'Rosa · +55 11 99900-0000',
      midia: { tipo: 'contato' },
    })
  })

  it('is nothing in what only devices say to each other', () => {
    expect(lida({ protocolMessage: { type: proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING } })).toEqual({
      tipo: 'nada',
    })
    expect(lida({ senderKeyDistributionMessage: {} })).toEqual({ tipo: 'nada' })
    expect(lerConteudo(null)).toEqual({ tipo: 'nada' })
  })
})
