-- Pictures of products. 'historico': a product's no more, kept because a chat still shows it.
alter table arquivos drop constraint arquivos_uso_check;
alter table arquivos add constraint arquivos_uso_check check (uso in ('midia', 'produto', 'historico'));

-- bytes of its small version, which lies beside it under the same random name
alter table arquivos add column tamanho_mini integer check (tamanho_mini > 0);

-- Which products show a picture.
create index produtos_imagem on produtos (conta_id, imagem_url) where imagem_url is not null;
