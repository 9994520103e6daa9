package main

var rooms workshop
